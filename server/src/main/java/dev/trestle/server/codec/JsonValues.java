package dev.trestle.server.codec;

import dev.trestle.model.Digits;
import java.nio.charset.StandardCharsets;

/**
 * Encodes JSON values into an array with space for the value and eight bytes more. Each method returns the position
 * after the value. A negative result means that the value needs the general encoder; the bytes written are then
 * undefined.
 */
public final class JsonValues {
    static final int NUMBER_BYTES_MAX = 20;
    static final int GUID_BYTES = 36;

    private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);
    private static final int EIGHT_DIGITS = 100_000_000;
    private static final int FOUR_ZEROS = (int) Digits.ZEROS;
    private static final long TRUE = 0x65_75_72_74L;
    private static final long FALSE = 0x65_73_6C_61_66L;
    private static final double SHORT_SCALE = 10_000;

    /** Below this, a number of ten-thousandths has at most fifteen digits, which identify a double. */
    private static final double SHORT_MAX = 1e15;

    private JsonValues() {}

    /** Encodes the content of a string that needs no escapes, checking and copying in one pass. */
    public static int plain(byte[] text, int offset, int count, byte[] out, int at) {
        int end = offset + count;
        int p = offset;
        int to = at;
        for (; p + Long.BYTES <= end; p += Long.BYTES, to += Long.BYTES) {
            long eight = SwarBytes.at(text, p);
            if (!SwarBytes.arePrintable(eight)) {
                return -1;
            }
            SwarBytes.put(out, to, eight);
        }
        if (p + Long.BYTES > text.length) {
            return fewPlain(text, p, end, out, to);
        }
        long last = SwarBytes.at(text, p);
        if (!SwarBytes.arePrintable(SwarBytes.first(end - p, last))) {
            return -1;
        }
        SwarBytes.put(out, to, last);
        return to + end - p;
    }

    /** Handles the end of an array, where eight bytes cannot be read. */
    private static int fewPlain(byte[] text, int offset, int end, byte[] out, int at) {
        long bytes = 0;
        for (int p = end - 1; p >= offset; p--) {
            bytes = bytes << Byte.SIZE | (text[p] & 0xFF);
        }
        if (!SwarBytes.arePrintable(SwarBytes.first(end - offset, bytes))) {
            return -1;
        }
        SwarBytes.put(out, at, bytes);
        return at + end - offset;
    }

    public static int bool(boolean value, byte[] out, int at) {
        SwarBytes.put(out, at, value ? TRUE : FALSE);
        return at + (value ? 4 : 5);
    }

    public static int number(long value, byte[] out, int at) {
        if (value >= 0) {
            return magnitude(value, out, at);
        }
        if (value == Long.MIN_VALUE) {
            System.arraycopy(LONG_MIN, 0, out, at, LONG_MIN.length);
            return at + LONG_MIN.length;
        }
        out[at] = '-';
        return magnitude(-value, out, at + 1);
    }

    private static int magnitude(long value, byte[] out, int at) {
        if (value < EIGHT_DIGITS) {
            long digits = Digits.eight((int) value);
            // Zero keeps its last digit.
            int zeros = Math.min(Long.numberOfTrailingZeros(digits - Digits.ZEROS) / Byte.SIZE, Long.BYTES - 1);
            SwarBytes.put(out, at, digits >>> (Byte.SIZE * zeros));
            return at + Long.BYTES - zeros;
        }
        int next = magnitude(value / EIGHT_DIGITS, out, at);
        SwarBytes.put(out, next, Digits.eight((int) (value % EIGHT_DIGITS)));
        return next + Long.BYTES;
    }

    /** Encodes a double of up to four decimals: the text reads back as the same double, and no shorter text does. */
    public static int real(double value, byte[] out, int at) {
        double scaled = value * SHORT_SCALE;
        // The comparison is negated so that NaN is rejected too.
        if (!(Math.abs(scaled) < SHORT_MAX && Math.abs(value) >= 1)) {
            return -1;
        }
        long tenThousandths = Math.round(scaled);
        if (tenThousandths / SHORT_SCALE != value) {
            return -1;
        }
        int p = at;
        if (tenThousandths < 0) {
            out[p++] = '-';
        }
        long magnitude = Math.abs(tenThousandths);
        long whole = magnitude / 10_000;
        p = magnitude(whole, out, p);
        out[p++] = '.';
        // The last four of eight digits, without trailing zeros.
        int digits = (int) (Digits.eight((int) (magnitude - 10_000 * whole)) >>> Integer.SIZE);
        int zeros = Integer.numberOfLeadingZeros(digits - FOUR_ZEROS) / Byte.SIZE;
        SwarBytes.put(out, p, digits);
        return p + Math.max(1, Integer.BYTES - zeros);
    }

    /** Encodes sixteen bytes as a GUID in lower case. */
    public static int guid(byte[] bytes, int offset, byte[] out, int at) {
        long first = SwarBytes.at(bytes, offset);
        long second = SwarBytes.at(bytes, offset + Long.BYTES);
        // Eight digits are written for each middle group of four; the next group overwrites the rest.
        SwarBytes.put(out, at, SwarBytes.hexadecimal((int) first));
        out[at + 8] = '-';
        long middle = SwarBytes.hexadecimal((int) (first >>> Integer.SIZE));
        SwarBytes.put(out, at + 9, middle);
        out[at + 13] = '-';
        SwarBytes.put(out, at + 14, middle >>> Integer.SIZE);
        out[at + 18] = '-';
        middle = SwarBytes.hexadecimal((int) second);
        SwarBytes.put(out, at + 19, middle);
        out[at + 23] = '-';
        SwarBytes.put(out, at + 24, middle >>> Integer.SIZE);
        SwarBytes.put(out, at + 28, SwarBytes.hexadecimal((int) (second >>> Integer.SIZE)));
        return at + GUID_BYTES;
    }
}
