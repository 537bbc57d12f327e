package dev.trestle.server.codec;

import com.fasterxml.jackson.core.io.NumberOutput;
import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A growing array for encoding responses, with the JSON forms of stored bytes. Input strings are CESU-8, as stored;
 * output is UTF-8. Mutable; not thread-safe.
 */
public final class WireBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int ESCAPE_BYTES_MAX = 6;

    /** Spare bytes at the end, so that eight bytes can be written for a shorter value. */
    private static final int SLACK = Long.BYTES;

    private byte[] data;
    private int length;
    private long lastDay = Long.MIN_VALUE;
    private final byte[] lastDate = new byte[2 * Long.BYTES];

    public WireBuffer(int capacity) {
        data = new byte[capacity + SLACK];
    }

    public byte[] data() {
        return data;
    }

    public int length() {
        return length;
    }

    /** Sets the length after writing directly into {@link #data}. */
    public void setLength(int position) {
        length = position;
    }

    /** Overwrites bytes written before. */
    public void overwrite(int position, byte[] bytes) {
        System.arraycopy(bytes, 0, data, position, bytes.length);
    }

    /** Empties the buffer for reuse. */
    public void clear() {
        length = 0;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(data, length);
    }

    /**
     * Ensures space for this many bytes after the current length; write to {@link #data}, then call
     * {@link #setLength}.
     */
    public void reserve(int bytes) {
        if (length + bytes + SLACK > data.length) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + bytes + SLACK));
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
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return raw(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return ascii(text);
    }

    public WireBuffer octet(char c) {
        reserve(1);
        data[length++] = (byte) c;
        return this;
    }

    /** Appends a Java string as a JSON string. */
    public WireBuffer string(String text) {
        byte[] encoded = dev.trestle.keyspace.Cesu8.encode(text);
        return string(encoded, 0, encoded.length);
    }

    /** Appends stored bytes as a JSON string. */
    public WireBuffer string(byte[] text, int offset, int count) {
        octet('"');
        stringContent(text, offset, count);
        return octet('"');
    }

    /** Appends the content of a JSON string. */
    public WireBuffer stringContent(byte[] text, int offset, int count) {
        reserve(count);
        int end = JsonValues.plain(text, offset, count, data, length);
        if (end < 0) {
            return escaped(text, offset, offset + count);
        }
        length = end;
        return this;
    }

    /** Appends the content of a JSON string, escaping where necessary. */
    private WireBuffer escaped(byte[] text, int start, int end) {
        int from = start;
        int p = start;
        while (true) {
            while (p + Long.BYTES <= end && SwarBytes.arePrintable(SwarBytes.at(text, p))) {
                p += Long.BYTES;
            }
            int stop = Math.min(end, p + Long.BYTES);
            for (; p < stop; p++) {
                byte b = text[p];
                boolean plainAscii = b >= 0x20 && b != '"' && b != '\\' && b != 0x7F;
                if (plainAscii || (b < 0 && !isSurrogate(text, p))) {
                    continue;
                }
                raw(text, from, p - from);
                if (b < 0) {
                    p = surrogate(text, p, end);
                } else {
                    escape(b);
                }
                from = p + 1;
            }
            if (p >= end) {
                return raw(text, from, end - from);
            }
        }
    }

    /** U+D000 to U+D7FF have the same first byte as surrogates but are ordinary characters. */
    private static boolean isSurrogate(byte[] text, int p) {
        return text[p] == (byte) 0xED && (text[p + 1] & 0xE0) == 0xA0;
    }

    /**
     * Encodes a surrogate pair as one character and a lone surrogate as an escape; returns the position of its last
     * byte.
     */
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
        reserve(JsonValues.NUMBER_BYTES_MAX);
        length = JsonValues.number(value, data, length);
        return this;
    }

    /**
     * Appends a finite double as the service does: the shortest digits that read back as the same number, a point in
     * whole numbers, an exponent of at least two digits from 1E+15 up and below 1E-04.
     */
    public WireBuffer real(double value) {
        reserve(JsonValues.NUMBER_BYTES_MAX);
        int end = JsonValues.real(value, data, length);
        if (end > 0) {
            length = end;
            return this;
        }
        String shortest = NumberOutput.toString(value, true);
        int e = shortest.indexOf('E');
        if (value == 0 || (e < 0 && Math.abs(value) >= 0.001)) {
            return ascii(shortest);
        }
        return ascii(DoubleText.format(shortest));
    }

    public WireBuffer time(long ticks, boolean allDigits) {
        reserve(Ticks.TEXT_BYTES_MAX);
        length = putTime(ticks, allDigits, length);
        return this;
    }

    /**
     * Encodes a time at a position with enough space, and returns the position after it. The rows of a page are often
     * of one day, so the encoded date is cached.
     */
    public int putTime(long ticks, boolean allDigits, int at) {
        long day = Ticks.day(ticks);
        if (day != lastDay) {
            Ticks.formatDate(day, lastDate, 0);
            lastDay = day;
        }
        SwarBytes.put(data, at, SwarBytes.at(lastDate, 0));
        SwarBytes.put(data, at + Long.BYTES, SwarBytes.at(lastDate, Long.BYTES));
        return Ticks.formatTime(ticks - day * Ticks.PER_DAY, allDigits, data, at + Ticks.DATE_BYTES);
    }

    public WireBuffer base64(byte[] bytes, int offset, int count) {
        return raw(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, offset, offset + count)));
    }

    /** Appends sixteen bytes as a GUID in lower case. */
    public WireBuffer guid(byte[] bytes, int offset) {
        reserve(JsonValues.GUID_BYTES);
        length = JsonValues.guid(bytes, offset, data, length);
        return this;
    }
}
