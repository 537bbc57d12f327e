package dev.trestle.server.codec;

/** Converts Java's text of a double to the layout that .NET gives the same digits. */
final class DoubleText {
    private static final int PLAIN_EXPONENT_MAX = 14;
    private static final int PLAIN_EXPONENT_MIN = -4;

    private DoubleText() {}

    /** Converts {@code -1.234E-10} or {@code 12.5} to {@code -1.234E-10}, {@code 1E+15}, {@code 0.0001}. */
    static String format(String javaText) {
        boolean negative = javaText.charAt(0) == '-';
        String text = negative ? javaText.substring(1) : javaText;
        int e = text.indexOf('E');
        int exponent = e < 0 ? 0 : Integer.parseInt(text.substring(e + 1));
        String mantissa = e < 0 ? text : text.substring(0, e);
        int point = mantissa.indexOf('.');
        String digits = (mantissa.substring(0, point) + mantissa.substring(point + 1));
        exponent += point - 1;
        int leading = 0;
        while (leading < digits.length() - 1 && digits.charAt(leading) == '0') {
            leading++;
        }
        digits = digits.substring(leading);
        exponent -= leading;
        int end = digits.length();
        while (end > 1 && digits.charAt(end - 1) == '0') {
            end--;
        }
        digits = digits.substring(0, end);
        return (negative ? "-" : "") + layOut(digits, exponent);
    }

    /** Formats the digits d1 d2 d3 ... of the number d1.d2d3... x 10^exponent. */
    private static String layOut(String digits, int exponent) {
        if (exponent > PLAIN_EXPONENT_MAX || exponent < PLAIN_EXPONENT_MIN) {
            String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
            String power = Integer.toString(Math.abs(exponent));
            return digits.charAt(0) + fraction + "E" + (exponent < 0 ? "-" : "+") + (power.length() < 2 ? "0" : "")
                    + power;
        }
        if (exponent < 0) {
            return "0." + "0".repeat(-exponent - 1) + digits;
        }
        if (digits.length() <= exponent + 1) {
            return digits + "0".repeat(exponent + 1 - digits.length()) + ".0";
        }
        return digits.substring(0, exponent + 1) + "." + digits.substring(exponent + 1);
    }
}
