package dev.trestle.engine.content;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Which content, and the paths that follow from it. No name that is legal leads out of its folder. */
record ContentPath(long collection, String name) {
    static final String INCOMING = "incoming";
    static final String DROPPED = "dropped";

    private static final String KEPT = "content";
    private static final String PART = ".part";
    private static final String OWNER = ".owner";
    private static final int COLLECTION_DIGITS = 2 * Long.BYTES;
    private static final Pattern LEGAL = Pattern.compile("[0-9a-z-]{1,64}");
    private static final HexFormat HEX = HexFormat.of();

    ContentPath {
        if (!LEGAL.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a content's name has 1 to 64 digits, lower case letters and hyphens, not: " + name);
        }
    }

    static String hex(long collection) {
        return HEX.toHexDigits(collection);
    }

    /** Of the kept contents of a collection. */
    static String folder(long collection) {
        return KEPT + "/" + hex(collection);
    }

    /** In one of 256 folders by the hash of its name, because lists of very many files are slow on some file systems. */
    String kept() {
        CRC32 hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.US_ASCII));
        return folder(collection) + "/" + HEX.toHexDigits((byte) hash.getValue()) + "/" + name;
    }

    /** Sealed, but not kept. */
    String sealed() {
        return INCOMING + "/" + hex(collection) + "-" + name;
    }

    /** Being written. */
    String part() {
        return sealed() + PART;
    }

    /** What says who is to refer to the one that is sealed. */
    String owner() {
        return sealed() + OWNER;
    }

    /** The content that a file in the folder of incoming ones is of; none for a file that is not ours. */
    static Optional<ContentPath> ofIncoming(String file) {
        String bare = withoutEnd(withoutEnd(file, PART), OWNER);
        if (bare.length() <= COLLECTION_DIGITS || bare.charAt(COLLECTION_DIGITS) != '-') {
            return Optional.empty();
        }
        try {
            return Optional.of(new ContentPath(
                    HexFormat.fromHexDigitsToLong(bare, 0, COLLECTION_DIGITS), bare.substring(COLLECTION_DIGITS + 1)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String withoutEnd(String text, String end) {
        return text.endsWith(end) ? text.substring(0, text.length() - end.length()) : text;
    }
}
