package dev.trestle.keyspace;

/**
 * The CESU-8 encoding of strings: one to three bytes per UTF-16 code unit. Its unsigned byte order is the ordinal
 * order of UTF-16, which the service uses, and every Java string round-trips, including lone surrogates.
 */
public final class Cesu8 {
    /** The maximum number of bytes of a code unit. */
    public static final int UNIT_BYTES_MAX = 3;

    private Cesu8() {}

    public static byte[] encode(CharSequence text) {
        byte[] bytes = new byte[length(text)];
        encode(text, bytes, 0);
        return bytes;
    }

    /** Returns the encoded length of a text. */
    public static int length(CharSequence text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes += c < 0x800 ? 1 : 2;
            }
        }
        return bytes;
    }

    /** Writes the text at {@code at} and returns the position after it. */
    public static int encode(CharSequence text, byte[] target, int at) {
        int p = at;
        for (int i = 0; i < text.length(); i++) {
            p = put(text.charAt(i), target, p);
        }
        return p;
    }

    /** Writes one code unit at {@code at} and returns the position after it. */
    public static int put(char c, byte[] target, int at) {
        int p = at;
        if (c < 0x80) {
            target[p++] = (byte) c;
        } else if (c < 0x800) {
            target[p++] = (byte) (0xC0 | (c >> 6));
            target[p++] = (byte) (0x80 | (c & 0x3F));
        } else {
            target[p++] = (byte) (0xE0 | (c >> 12));
            target[p++] = (byte) (0x80 | ((c >> 6) & 0x3F));
            target[p++] = (byte) (0x80 | (c & 0x3F));
        }
        return p;
    }

    @SuppressWarnings("deprecation") // The deprecated constructor copies ASCII without a charset decoder.
    public static String decode(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int ascii = offset;
        while (ascii < end && bytes[ascii] >= 0) {
            ascii++;
        }
        if (ascii == end) {
            return new String(bytes, 0, offset, length);
        }
        StringBuilder text = new StringBuilder(length);
        int p = offset;
        while (p < end) {
            byte b = bytes[p];
            if (b >= 0) {
                text.append((char) b);
                p += 1;
            } else if ((b & 0xE0) == 0xC0) {
                text.append((char) (((b & 0x1F) << 6) | (bytes[p + 1] & 0x3F)));
                p += 2;
            } else {
                text.append((char) (((b & 0x0F) << 12) | ((bytes[p + 1] & 0x3F) << 6) | (bytes[p + 2] & 0x3F)));
                p += 3;
            }
        }
        return text.toString();
    }

    /** Returns the number of UTF-16 code units of an encoded string. */
    public static int units(byte[] bytes, int offset, int length) {
        int units = 0;
        for (int i = offset; i < offset + length; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                units++;
            }
        }
        return units;
    }
}
