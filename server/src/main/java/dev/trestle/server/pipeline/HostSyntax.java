package dev.trestle.server.pipeline;

/** The syntax of the Host header. Responses repeat the host as it is, so it must hold nothing else. */
final class HostSyntax {
    private static final int PORT_MAX = 65_535;

    private HostSyntax() {}

    /** Whether the text is a host name or an IP literal, optionally with a port. */
    static boolean isHost(String text) {
        int end = text.startsWith("[") ? endOfLiteral(text) : endOfName(text, 0);
        return end > 0 && (end == text.length() || (text.charAt(end) == ':' && isPort(text, end + 1)));
    }

    private static int endOfName(String text, int start) {
        int end = start;
        while (end < text.length() && (isLetterOrDigit(text.charAt(end)) || ".-_%".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        return end;
    }

    /** Returns the end of an IPv6 address in brackets, which may have a zone; -1 if there is none. */
    private static int endOfLiteral(String text) {
        int end = 1;
        int colons = 0;
        while (end < text.length() && (isHexDigit(text.charAt(end)) || ":.".indexOf(text.charAt(end)) >= 0)) {
            colons += text.charAt(end) == ':' ? 1 : 0;
            end++;
        }
        if (end < text.length() && text.charAt(end) == '%') {
            end = endOfName(text, end);
        }
        return colons >= 2 && end < text.length() && text.charAt(end) == ']' ? end + 1 : -1;
    }

    /** Whether the rest is a port, which may be empty. */
    private static boolean isPort(String text, int start) {
        int port = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
            port = port * 10 + c - '0';
            if (port > PORT_MAX) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHexDigit(char c) {
        return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9');
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
