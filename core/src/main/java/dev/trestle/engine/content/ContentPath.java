package dev.trestle.engine.content;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Identifies a content and derives its paths. A legal name cannot lead out of its folder. */
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
                    "The name of a content must have 1 to 64 digits, lower-case letters and hyphens: " + name);
        }
    }

    static String hex(long collection) {
        return HEX.toHexDigits(collection);
    }

    /** Returns the folder of the kept contents of a collection. */
    static String folder(long collection) {
        return KEPT + "/" + hex(collection);
    }

    /**
     * Returns the path of the kept content, in one of 256 folders by the hash of its name, because very large
     * folders are slow on some file systems.
     */
    String kept() {
        CRC32 hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.US_ASCII));
        return folder(collection) + "/" + HEX.toHexDigits((byte) hash.getValue()) + "/" + name;
    }

    /** Returns the path of the content while it is sealed and not kept. */
    String sealed() {
        return INCOMING + "/" + hex(collection) + "-" + name;
    }

    /** Returns the path of the content while it is written. */
    String part() {
        return sealed() + PART;
    }

    /** Returns the path of the owner file. */
    String owner() {
        return sealed() + OWNER;
    }

    /** Parses the name of a file in the folder of incoming contents; empty if it has another format. */
    static Optional<ContentPath> ofIncoming(String file) {
        String bare = withoutSuffix(withoutSuffix(file, PART), OWNER);
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

    private static String withoutSuffix(String text, String end) {
        return text.endsWith(end) ? text.substring(0, text.length() - end.length()) : text;
    }
}
