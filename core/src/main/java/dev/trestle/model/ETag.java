package dev.trestle.model;

import java.util.OptionalLong;

/** The text form of an entity's version: {@code W/"datetime'2026-03-02T10%3A00%3A00.1234567Z'"}. */
public final class ETag {
    private static final String PREFIX = "W/\"datetime'";
    private static final String SUFFIX = "'\"";

    private ETag() {}

    public static String format(long version) {
        return PREFIX + Ticks.format(version, true).replace(":", "%3A") + SUFFIX;
    }

    /**
     * The version a client names in {@code If-Match}. A well-formed weak tag that no entity of ours can carry gives -1,
     * a version that never matches.
     *
     * @throws StorageException when the text is no weak entity tag
     */
    public static long parse(String text) {
        if (!text.startsWith("W/\"") || !text.endsWith("\"") || text.length() < 4) {
            throw new StorageException(
                    StorageError.INVALID_INPUT,
                    "The etag value '" + text + "' specified in one of the request headers"
                            + " is not valid. Please make sure only one etag value is specified and is valid.");
        }
        if (!text.startsWith(PREFIX) || !text.endsWith(SUFFIX) || text.length() < PREFIX.length() + SUFFIX.length()) {
            return -1;
        }
        String time = text.substring(PREFIX.length(), text.length() - SUFFIX.length());
        OptionalLong ticks = Ticks.parse(time.replace("%3A", ":").replace("%3a", ":"));
        return ticks.orElse(-1);
    }
}
