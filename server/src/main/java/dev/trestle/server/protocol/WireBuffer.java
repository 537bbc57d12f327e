package dev.trestle.server.protocol;

import com.fasterxml.jackson.core.io.NumberOutput;
import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A growing array that answers are written into, with the JSON forms of stored bytes. Strings arrive as CESU-8, as they
 * are stored, and leave as UTF-8. Mutable, for one thread.
 */
public final class WireBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);
    private static final int LONG_DIGITS_MAX = 20;
    private static final int ESCAPE_BYTES_MAX = 6;

    private byte[] data;
    private int length;

    public WireBuffer(int capacity) {
        data = new byte[capacity];
    }

    public byte[] data() {
        return data;
    }

    public int length() {
        return length;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(data, length);
    }

    private void reserve(int bytes) {
        if (length + bytes > data.length) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + bytes));
        }
    }

    public WireBuffer raw(byte[] bytes) {
        return raw(bytes, 0, bytes.length);
    }

    public WireBuffer raw(byte[] bytes, int offset, int count) {
        reserve(count);
        System.arraycopy(bytes, offset, data, length, count);
        length += count;
        return this;
    }

    @SuppressWarnings("deprecation") // getBytes(int, int, byte[], int) copies ASCII without an encoder.
    public WireBuffer ascii(String text) {
        int count = text.length();
        reserve(count);
        text.getBytes(0, count, data, length);
        length += count;
        return this;
    }

    public WireBuffer utf8(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    public WireBuffer octet(char c) {
        reserve(1);
        data[length++] = (byte) c;
        return this;
    }

    /** A JSON string of a Java string. */
    public WireBuffer string(String text) {
        byte[] encoded = dev.trestle.keyspace.Cesu8.encode(text);
        return string(encoded, 0, encoded.length);
    }

    /** A JSON string of stored bytes. */
    public WireBuffer string(byte[] text, int offset, int count) {
        octet('"');
        stringContent(text, offset, count);
        return octet('"');
    }

    /** The inside of a JSON string. */
    public WireBuffer stringContent(byte[] text, int offset, int count) {
        int end = offset + count;
        int from = offset;
        reserve(count);
        for (int p = offset; p < end; p++) {
            byte b = text[p];
            boolean plainAscii = b >= 0x20 && b != '"' && b != '\\' && b != 0x7F;
            if (plainAscii || (b < 0 && b != (byte) 0xED)) {
                continue;
            }
            if (b == (byte) 0xED && (text[p + 1] & 0xE0) != 0xA0) {
                continue; // U+D000 to U+D7FF are characters of their own; only above begin the surrogates.
            }
            raw(text, from, p - from);
            if (b == (byte) 0xED) {
                p = surrogate(text, p, end);
            } else {
                escape(b);
            }
            from = p + 1;
        }
        return raw(text, from, end - from);
    }

    /** Writes a surrogate pair as one character, a lone one as an escape, and returns its last byte's position. */
    private int surrogate(byte[] text, int p, int end) {
        int unit = unit(text, p);
        if (unit < 0xDC00 && p + 5 < end && text[p + 3] == (byte) 0xED) {
            int second = unit(text, p + 3);
            if (second >= 0xDC00 && second <= 0xDFFF) {
                int point = Character.toCodePoint((char) unit, (char) second);
                reserve(4);
                data[length++] = (byte) (0xF0 | (point >> 18));
                data[length++] = (byte) (0x80 | ((point >> 12) & 0x3F));
                data[length++] = (byte) (0x80 | ((point >> 6) & 0x3F));
                data[length++] = (byte) (0x80 | (point & 0x3F));
                return p + 5;
            }
        }
        unicodeEscape(unit);
        return p + 2;
    }

    private static int unit(byte[] text, int p) {
        return (text[p] & 0x0F) << 12 | (text[p + 1] & 0x3F) << 6 | (text[p + 2] & 0x3F);
    }

    private void escape(byte b) {
        switch (b) {
            case '"', '\\' -> octet('\\').octet((char) b);
            case '\n' -> ascii("\\n");
            case '\r' -> ascii("\\r");
            case '\t' -> ascii("\\t");
            case '\b' -> ascii("\\b");
            case '\f' -> ascii("\\f");
            default -> unicodeEscape(b);
        }
    }

    private void unicodeEscape(int unit) {
        reserve(ESCAPE_BYTES_MAX);
        data[length++] = '\\';
        data[length++] = 'u';
        data[length++] = HEX[unit >> 12 & 0xF];
        data[length++] = HEX[unit >> 8 & 0xF];
        data[length++] = HEX[unit >> 4 & 0xF];
        data[length++] = HEX[unit & 0xF];
    }

    public WireBuffer number(long value) {
        if (value == Long.MIN_VALUE) {
            return raw(LONG_MIN);
        }
        reserve(LONG_DIGITS_MAX);
        long rest = value;
        if (rest < 0) {
            data[length++] = '-';
            rest = -rest;
        }
        int digits = 1;
        for (long bound = 10; digits < 19 && rest >= bound; bound *= 10) {
            digits++;
        }
        for (int p = length + digits - 1; p >= length; p--) {
            data[p] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /**
     * A finite double the way the service writes it: the shortest digits that read back as the same number, a point in
     * whole numbers, and an exponent of at least two digits from 1E+15 up and below 1E-04.
     */
    public WireBuffer real(double value) {
        String shortest = NumberOutput.toString(value, true);
        int e = shortest.indexOf('E');
        if (value == 0 || (e < 0 && Math.abs(value) >= 0.001)) {
            return ascii(shortest);
        }
        return ascii(DoubleText.format(shortest));
    }

    public WireBuffer time(long ticks, boolean allDigits) {
        reserve(Ticks.TEXT_BYTES_MAX);
        length = Ticks.format(ticks, allDigits, data, length);
        return this;
    }

    /** An entity tag's text with its quotes escaped for JSON or bare for a header. */
    public WireBuffer etag(long version, boolean inJson) {
        ascii(inJson ? "W/\\\"datetime'" : "W/\"datetime'");
        reserve(Ticks.TEXT_BYTES_MAX + 4);
        int start = length;
        length = Ticks.format(version, true, data, length);
        // The two colons of the time become %3A: move what follows them, from the right.
        System.arraycopy(data, start + 17, data, start + 21, length - start - 17);
        System.arraycopy(data, start + 14, data, start + 16, 2);
        data[start + 13] = '%';
        data[start + 14] = '3';
        data[start + 15] = 'A';
        data[start + 18] = '%';
        data[start + 19] = '3';
        data[start + 20] = 'A';
        length += 4;
        return ascii(inJson ? "'\\\"" : "'\"");
    }

    public WireBuffer base64(byte[] bytes, int offset, int count) {
        return raw(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, offset, offset + count)));
    }

    /** Sixteen bytes as a GUID in lower case. */
    public WireBuffer guid(byte[] bytes, int offset) {
        reserve(36);
        for (int i = 0; i < 16; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                data[length++] = '-';
            }
            data[length++] = HEX[bytes[offset + i] >> 4 & 0xF];
            data[length++] = HEX[bytes[offset + i] & 0xF];
        }
        return this;
    }
}
