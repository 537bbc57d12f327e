package dev.trestle.server.table.json;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.server.codec.SwarBytes;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A pull parser for one JSON object (strict RFC 8259) that works on the bytes of the request. Plain ASCII strings are
 * not copied; others are decoded to CESU-8, the stored form. Not thread-safe; used once.
 *
 * <p>This code is on the path of every written entity. A general parser would decode strings to characters that are
 * then encoded again, and would be created for each of the hundred bodies of a batch (docs/decisions/0004).
 */
final class JsonReader {
    private static final int DEPTH_MAX = 16;
    private static final int NUMBER_BYTES_MAX = 1024;
    private static final int DECODED_UNIT_BYTES_MAX = 2 * Cesu8.UNIT_BYTES_MAX;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** The kind of a value. */
    enum Token {
        TEXT,
        INTEGER,
        REAL,
        TRUE,
        FALSE,
        NULL
    }

    /** Thrown for malformed JSON, or for a value that is not of the requested kind. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed() {
            super("malformed JSON", null, false, false);
        }
    }

    private final byte[] data;
    private final int end;
    private int at;
    private boolean first = true;
    private byte[] decoded = {};
    private int decodedLength;
    private byte[] source;
    private int offset;
    private int length;

    /** Starts before the first member. */
    JsonReader(byte[] data, int offset, int length) throws Malformed {
        this.data = data;
        this.source = data;
        this.at = offset;
        this.end = offset + length;
        if (length >= BYTE_ORDER_MARK.length
                && Arrays.equals(data, offset, offset + BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, 3)) {
            at += BYTE_ORDER_MARK.length;
        }
        skipSpace();
        expect('{');
    }

    /** Returns the array with the last parsed name, string or number. */
    byte[] source() {
        return source;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /**
     * Moves to the next member and parses its name; returns false at the end of the object, which must be the end of
     * input.
     */
    boolean next() throws Malformed {
        skipSpace();
        if (at < end && data[at] == '}') {
            at++;
            skipSpace();
            if (at != end) {
                throw new Malformed();
            }
            return false;
        }
        if (!first) {
            expect(',');
            skipSpace();
        }
        first = false;
        name();
        return true;
    }

    private void name() throws Malformed {
        expect('"');
        text();
        skipSpace();
        expect(':');
        skipSpace();
    }

    /** Parses the member's value, which must not be an object or array. */
    Token value() throws Malformed {
        if (at >= end) {
            throw new Malformed();
        }
        switch (data[at]) {
            case '"' -> {
                at++;
                text();
                return Token.TEXT;
            }
            case 't' -> {
                literal("true");
                return Token.TRUE;
            }
            case 'f' -> {
                literal("false");
                return Token.FALSE;
            }
            case 'n' -> {
                literal("null");
                return Token.NULL;
            }
            default -> {
                return number();
            }
        }
    }

    /** Skips the member's value, of any kind. */
    void skip() throws Malformed {
        skip(1);
    }

    private void skip(int depth) throws Malformed {
        if (at >= end || depth > DEPTH_MAX) {
            throw new Malformed();
        }
        if (data[at] != '{' && data[at] != '[') {
            value();
            return;
        }
        boolean object = data[at++] == '{';
        char close = object ? '}' : ']';
        skipSpace();
        if (at < end && data[at] == close) {
            at++;
            return;
        }
        while (true) {
            if (object) {
                name();
            }
            skip(depth + 1);
            skipSpace();
            if (at < end && data[at] == close) {
                at++;
                return;
            }
            expect(',');
            skipSpace();
        }
    }

    private void skipSpace() {
        while (at < end && (data[at] == ' ' || data[at] == '\n' || data[at] == '\r' || data[at] == '\t')) {
            at++;
        }
    }

    private void expect(char c) throws Malformed {
        if (at >= end || data[at] != c) {
            throw new Malformed();
        }
        at++;
    }

    private void literal(String word) throws Malformed {
        for (int i = 0; i < word.length(); i++) {
            expect(word.charAt(i));
        }
    }

    private Token number() throws Malformed {
        int from = at;
        Token token = Token.INTEGER;
        if (data[at] == '-') {
            at++;
        }
        int firstDigit = at;
        digits();
        if (data[firstDigit] == '0' && at > firstDigit + 1) {
            throw new Malformed();
        }
        if (at < end && data[at] == '.') {
            at++;
            digits();
            token = Token.REAL;
        }
        if (at < end && (data[at] == 'e' || data[at] == 'E')) {
            at++;
            if (at < end && (data[at] == '+' || data[at] == '-')) {
                at++;
            }
            digits();
            token = Token.REAL;
        }
        source = data;
        offset = from;
        length = at - from;
        if (length > NUMBER_BYTES_MAX) {
            throw new Malformed();
        }
        return token;
    }

    private void digits() throws Malformed {
        int from = at;
        while (at < end && data[at] >= '0' && data[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw new Malformed();
        }
    }

    /** Parses a string up to the closing quote. */
    private void text() throws Malformed {
        int from = at;
        int p = at;
        while (p + Long.BYTES <= end && SwarBytes.arePlain(SwarBytes.at(data, p))) {
            p += Long.BYTES;
        }
        while (p < end && isPlain(data[p])) {
            p++;
        }
        if (p < end && data[p] == '"') {
            source = data;
            offset = from;
            length = p - from;
            at = p + 1;
        } else {
            decode(from, p);
        }
    }

    private static boolean isPlain(byte b) {
        return b >= 0x20 && b != '"' && b != '\\';
    }

    /** Decodes a string that is plain only up to {@code p}. */
    private void decode(int from, int p) throws Malformed {
        source = decoded;
        offset = decodedLength;
        at = p;
        copy(from, p);
        while (true) {
            if (at >= end) {
                throw new Malformed();
            }
            byte b = data[at];
            if (isPlain(b)) {
                int plain = at;
                while (at < end && isPlain(data[at])) {
                    at++;
                }
                copy(plain, at);
            } else if (b == '"') {
                at++;
                break;
            } else if (b == '\\') {
                at++;
                put(escaped());
            } else if (b < 0) {
                character();
            } else {
                throw new Malformed();
            }
        }
        source = decoded;
        length = decodedLength - offset;
    }

    private void copy(int from, int to) {
        reserve(to - from);
        System.arraycopy(data, from, decoded, decodedLength, to - from);
        decodedLength += to - from;
    }

    private void put(int unit) {
        reserve(Cesu8.UNIT_BYTES_MAX);
        decodedLength = Cesu8.put((char) unit, decoded, decodedLength);
    }

    private void reserve(int bytes) {
        if (decodedLength + bytes > decoded.length) {
            int rest = Math.min(end - at, 1024) + DECODED_UNIT_BYTES_MAX;
            decoded = Arrays.copyOf(decoded, Math.max(decoded.length * 2, decodedLength + bytes + rest));
        }
    }

    /** Parses an escape after its backslash and returns its UTF-16 unit. */
    private int escaped() throws Malformed {
        if (at >= end) {
            throw new Malformed();
        }
        return switch (data[at++]) {
            case '"' -> '"';
            case '\\' -> '\\';
            case '/' -> '/';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw new Malformed();
        };
    }

    private int hex() throws Malformed {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            if (at >= end || !HexFormat.isHexDigit(data[at])) {
                throw new Malformed();
            }
            unit = unit << 4 | HexFormat.fromHexDigit(data[at++]);
        }
        return unit;
    }

    /** Decodes a multi-byte UTF-8 character; rejects overlong forms and surrogates. */
    private void character() throws Malformed {
        int lead = data[at] & 0xFF;
        int following =
                lead >= 0xC2 && lead < 0xE0 ? 1 : lead >= 0xE0 && lead < 0xF0 ? 2 : lead >= 0xF0 && lead < 0xF5 ? 3 : 0;
        if (following == 0 || at + following >= end) {
            throw new Malformed();
        }
        int point = lead & (0x3F >> following);
        for (int i = 1; i <= following; i++) {
            if ((data[at + i] & 0xC0) != 0x80) {
                throw new Malformed();
            }
            point = point << 6 | (data[at + i] & 0x3F);
        }
        boolean legal = switch (following) {
            case 1 -> true;
            case 2 -> point >= 0x800 && !Character.isSurrogate((char) point);
            default -> point >= 0x10000 && point <= Character.MAX_CODE_POINT;
        };
        if (!legal) {
            throw new Malformed();
        }
        at += following + 1;
        if (point < 0x10000) {
            put(point);
        } else {
            put(Character.highSurrogate(point));
            put(Character.lowSurrogate(point));
        }
    }
}
