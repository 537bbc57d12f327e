package dev.trestle.model;

import java.util.OptionalLong;

/** The ETag of an entity, which encodes its version: {@code W/"datetime'2026-03-02T10%3A00%3A00.1234567Z'"}. */
public final class ETag {
    private static final String PREFIX = "W/\"datetime'";
    private static final String SUFFIX = "'\"";
    private static final int COLONS = 2;

    private ETag() {}

    @SuppressWarnings("deprecation") // The deprecated methods copy ASCII without a charset decoder.
    public static String format(long version) {
        byte[] time = new byte[Ticks.TEXT_BYTES_MAX];
        int length = Ticks.format(version, true, time, 0);
        byte[] text = new byte[PREFIX.length() + length + 2 * COLONS + SUFFIX.length()];
        PREFIX.getBytes(0, PREFIX.length(), text, 0);
        int p = PREFIX.length();
        for (int i = 0; i < length; i++) {
            if (time[i] == ':') {
                text[p++] = '%';
                text[p++] = '3';
                text[p++] = 'A';
            } else {
                text[p++] = time[i];
            }
        }
        SUFFIX.getBytes(0, SUFFIX.length(), text, p);
        return new String(text, 0);
    }

    /**
     * Parses the version in an {@code If-Match} header. Returns -1, which matches no version, for a weak ETag of
     * another form.
     *
     * @throws StorageException if the text is not a weak ETag
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
