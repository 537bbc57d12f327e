package dev.trestle.server.table.json;

import java.nio.charset.StandardCharsets;

/** Reads decimal numbers into doubles. */
final class Decimal {
    private static final int EXACT_DIGITS_MAX = 15;

    /** Powers of ten that are doubles to the last bit. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private Decimal() {}

    /** The double nearest to a number in JSON's form. */
    static double parse(byte[] text, int offset, int length) {
        // Up to fifteen digits are a double exactly, and so is the power of ten: one division then rounds once, as the
        // general way would (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
        int end = offset + length;
        boolean negative = text[offset] == '-';
        long digits = 0;
        int count = 0;
        int fraction = -1;
        for (int p = negative ? offset + 1 : offset; p < end; p++) {
            byte b = text[p];
            if (b == '.') {
                fraction = 0;
                continue;
            }
            if (b < '0' || b > '9' || ++count > EXACT_DIGITS_MAX) {
                return Double.parseDouble(new String(text, offset, length, StandardCharsets.ISO_8859_1));
            }
            digits = digits * 10 + (b - '0');
            if (fraction >= 0) {
                fraction++;
            }
        }
        double value = digits / POWERS[Math.max(0, fraction)];
        return negative ? -value : value;
    }
}
