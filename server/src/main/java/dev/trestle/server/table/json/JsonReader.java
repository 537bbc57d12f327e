package dev.trestle.server.table.json;

import dev.trestle.keyspace.Cesu8;
import dev.trestle.server.codec.SwarBytes;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Walks over the members of one JSON object (RFC 8259, nothing beyond it) where it lies in a request. A text of plain
 * ASCII stays there; any other is decoded, into CESU-8 as texts are stored. For one thread, once.
 *
 * <p>It stands on the path of every entity written. A general parser finds the tokens as well, but decodes each text to
 * characters that are encoded again at once, and sets itself up anew for each of the hundred bodies in a batch
 * (docs/decisions/0004).
 */
final class JsonReader {
    private static final int DEPTH_MAX = 16;
    private static final int NUMBER_BYTES_MAX = 1024;
    private static final int DECODED_UNIT_BYTES_MAX = 2 * Cesu8.UNIT_BYTES_MAX;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** What a value is. */
    enum Token {
        TEXT,
        INTEGER,
        REAL,
        TRUE,
        FALSE,
        NULL
    }

    /** The text is no JSON, or not what was asked for. */
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

    /** Places itself before the first member. */
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

    /** The array that the name, text or number last read lies in. */
    byte[] source() {
        return source;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** Moves to the next member and reads its name; false when the object, and with it the input, has ended. */
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

    /** Reads the member's value, which must not be an object or array. */
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

    /** Reads past the member's value, whatever it is. */
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

    /** Reads to the closing quote. */
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

    /** Decodes a text that is plain up to {@code p} only. */
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

    /** The UTF-16 unit that an escape names, behind its backslash. */
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

    /** A character of several bytes of UTF-8, in its shortest form and no half of a surrogate pair. */
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
