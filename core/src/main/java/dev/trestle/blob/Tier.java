package dev.trestle.blob;

/**
 * How often a blob is said to be read. Kept and told, but all blobs are stored alike.
 *
 * @param name empty when nobody said, which is shown as the default
 * @param changed in ticks, 0 when never
 */
public record Tier(String name, long changed) {
    public static final Tier DEFAULT = new Tier("", 0);
}
