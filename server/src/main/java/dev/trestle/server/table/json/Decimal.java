package dev.trestle.server.table.json;

import java.nio.charset.StandardCharsets;

/** Parses decimal numbers into doubles. */
final class Decimal {
    private static final int EXACT_DIGITS_MAX = 15;

    /** Powers of ten that doubles represent exactly. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private Decimal() {}

    /** Returns the double nearest to a JSON number. */
    static double parse(byte[] text, int offset, int length) {
        // Up to fifteen digits and their power of ten are exact doubles, so one division rounds once, like the
        // general algorithm (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
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
