package dev.trestle.patterns.entity;

/** Validates keys and escapes characters that the service forbids in them. */
final class KeyEscaping {
    private static final char ESCAPE = '=';
    private static final int HEX_DIGITS = 4;

    private KeyEscaping() {}

    /** The service rejects slashes, backslashes, number signs, question marks and control characters in keys. */
    static boolean isForbidden(char c) {
        return c == '/' || c == '\\' || c == '#' || c == '?' || Character.isISOControl(c);
    }

    static String checked(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (isForbidden(key.charAt(i))) {
                throw new IllegalArgumentException("The key '" + key + "' contains '" + key.charAt(i)
                        + "', which the service forbids: use the format \"escaped\" for its component");
            }
        }
        return key;
    }

    static String escape(String text, char end) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isForbidden(c) || c == ESCAPE || c == end) {
                escaped.append(ESCAPE).append(String.format("%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    static String unescape(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ESCAPE) {
                int end = i + 1 + HEX_DIGITS;
                if (end > text.length()) {
                    throw new IllegalArgumentException("'" + text + "' ends within an escape");
                }
                plain.append((char) Integer.parseInt(text.substring(i + 1, end), 16));
                i = end - 1;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
