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
    private static final int EIGHT_DIGITS = 100_000_000;
    private static final int GUID_BYTES = 36;
    private static final int ESCAPE_BYTES_MAX = 6;
    private static final double SHORT_SCALE = 10_000;

    /** Below it a number of ten thousandths has fifteen digits at most, which no two doubles share. */
    private static final double SHORT_MAX = 1e15;

    /** Room behind what is asked for, so that eight bytes can be written where fewer are meant. */
    private static final int SLACK = Long.BYTES;

    private byte[] data;
    private int length;
    private long lastDay = Long.MIN_VALUE;
    private final byte[] lastDate = new byte[Ticks.DATE_BYTES];

    public WireBuffer(int capacity) {
        data = new byte[capacity + SLACK];
    }

    public byte[] data() {
        return data;
    }

    public int length() {
        return length;
    }

    /** Forgets what was written, to be used again. */
    void clear() {
        length = 0;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(data, length);
    }

    private void reserve(int bytes) {
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

    /** Bytes made ready by {@link #padded}: for few of them this is quicker than a call that copies any number. */
    WireBuffer few(byte[] padded, int count) {
        reserve(count);
        for (int i = 0; i < count; i += Long.BYTES) {
            EightBytes.put(data, length + i, EightBytes.at(padded, i));
        }
        length += count;
        return this;
    }

    /** What was written, with room behind it to read eight bytes at a time. */
    byte[] padded() {
        return Arrays.copyOf(data, length + SLACK);
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
        int p = offset;
        reserve(count);
        // Looked at and copied in one go, for as long as nothing has to be escaped.
        while (p + Long.BYTES <= text.length) {
            long eight = EightBytes.at(text, p);
            int rest = end - p;
            if (rest < Long.BYTES) {
                if (EightBytes.arePrintable(EightBytes.first(rest, eight))) {
                    EightBytes.put(data, length, eight);
                    length += rest;
                    return this;
                }
                break;
            }
            if (!EightBytes.arePrintable(eight)) {
                break;
            }
            EightBytes.put(data, length, eight);
            length += Long.BYTES;
            p += Long.BYTES;
        }
        return escaped(text, p, end);
    }

    /** The inside of a JSON string that may have anything in it. */
    private WireBuffer escaped(byte[] text, int start, int end) {
        int from = start;
        int p = start;
        while (true) {
            while (p + Long.BYTES <= end && EightBytes.arePrintable(EightBytes.at(text, p))) {
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

    /** U+D000 to U+D7FF share the first byte with the surrogates and are characters of their own. */
    private static boolean isSurrogate(byte[] text, int p) {
        return text[p] == (byte) 0xED && (text[p + 1] & 0xE0) == 0xA0;
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
        magnitude(rest);
        return this;
    }

    private void magnitude(long value) {
        if (value < EIGHT_DIGITS) {
            long digits = EightBytes.decimal((int) value);
            // Of zero the last digit is left.
            int zeros =
                    Math.min(Long.numberOfTrailingZeros(digits - EightBytes.decimal(0)) / Byte.SIZE, Long.BYTES - 1);
            EightBytes.put(data, length, digits >>> (Byte.SIZE * zeros));
            length += Long.BYTES - zeros;
            return;
        }
        magnitude(value / EIGHT_DIGITS);
        EightBytes.put(data, length, EightBytes.decimal((int) (value % EIGHT_DIGITS)));
        length += Long.BYTES;
    }

    /**
     * A finite double the way the service writes it: the shortest digits that read back as the same number, a point in
     * whole numbers, and an exponent of at least two digits from 1E+15 up and below 1E-04.
     */
    public WireBuffer real(double value) {
        // Most numbers have a few decimals. Such a one, read back, is the same double, and no shorter text is.
        double scaled = value * SHORT_SCALE;
        if (Math.abs(scaled) < SHORT_MAX && Math.abs(value) >= 1) {
            long whole = Math.round(scaled);
            if (whole / SHORT_SCALE == value) {
                return decimal(whole);
            }
        }
        String shortest = NumberOutput.toString(value, true);
        int e = shortest.indexOf('E');
        if (value == 0 || (e < 0 && Math.abs(value) >= 0.001)) {
            return ascii(shortest);
        }
        return ascii(DoubleText.format(shortest));
    }

    /** A number of ten thousandths, with at least one decimal and no zeros behind it. */
    private WireBuffer decimal(long tenThousandths) {
        long magnitude = Math.abs(tenThousandths);
        if (tenThousandths < 0) {
            octet('-');
        }
        number(magnitude / 10_000).octet('.');
        // The last four of eight digits, and of those all but the zeros at the end.
        long digits = EightBytes.decimal((int) (magnitude % 10_000)) >>> Integer.SIZE;
        int zeros = Integer.numberOfLeadingZeros((int) (digits - (EightBytes.decimal(0) >>> Integer.SIZE))) / Byte.SIZE;
        reserve(Integer.BYTES);
        EightBytes.put(data, length, digits);
        length += Math.max(1, Integer.BYTES - zeros);
        return this;
    }

    public WireBuffer time(long ticks, boolean allDigits) {
        reserve(Ticks.TEXT_BYTES_MAX);
        length = putTime(ticks, allDigits, length);
        return this;
    }

    /** Rows of a page are often of one day, so the day is written once and copied. */
    private int putTime(long ticks, boolean allDigits, int at) {
        long day = Ticks.day(ticks);
        if (day != lastDay) {
            Ticks.formatDate(day, lastDate, 0);
            lastDay = day;
        }
        System.arraycopy(lastDate, 0, data, at, Ticks.DATE_BYTES);
        return Ticks.formatTime(ticks - day * Ticks.PER_DAY, allDigits, data, at + Ticks.DATE_BYTES);
    }

    public WireBuffer base64(byte[] bytes, int offset, int count) {
        return raw(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, offset, offset + count)));
    }

    /** Sixteen bytes as a GUID in lower case. */
    public WireBuffer guid(byte[] bytes, int offset) {
        reserve(GUID_BYTES);
        long first = EightBytes.at(bytes, offset);
        long second = EightBytes.at(bytes, offset + Long.BYTES);
        int p = length;
        // Each group but the first and the last is half of what is written for it, and the next one follows over the
        // rest.
        EightBytes.put(data, p, EightBytes.hexadecimal((int) first));
        data[p + 8] = '-';
        long middle = EightBytes.hexadecimal((int) (first >>> Integer.SIZE));
        EightBytes.put(data, p + 9, middle);
        data[p + 13] = '-';
        EightBytes.put(data, p + 14, middle >>> Integer.SIZE);
        data[p + 18] = '-';
        middle = EightBytes.hexadecimal((int) second);
        EightBytes.put(data, p + 19, middle);
        data[p + 23] = '-';
        EightBytes.put(data, p + 24, middle >>> Integer.SIZE);
        EightBytes.put(data, p + 28, EightBytes.hexadecimal((int) (second >>> Integer.SIZE)));
        length += GUID_BYTES;
        return this;
    }
}
