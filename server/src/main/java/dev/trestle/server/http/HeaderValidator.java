package dev.trestle.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * What has to hold of a head beyond what the codec sees to. A proxy in front may read a head that says a thing twice, or
 * in words of its own, otherwise than this server does, and whoever writes such heads gets requests past it.
 */
final class HeaderValidator {
    private static final int PORT_MAX = 65_535;

    private HeaderValidator() {}

    /** Whether there is just one way to read where a request goes and where it ends. */
    static boolean isPlain(HttpServerRequest http) {
        return http.headers().getAll(HeaderNames.of("Host")).size() <= 1
                && (!http.headers().contains(HeaderNames.of("Transfer-Encoding")) || isChunked(http));
    }

    private static boolean isChunked(HttpServerRequest http) {
        // The codec removes blanks around a value, unless it is folded into several lines.
        List<String> codings = http.headers().getAll("Transfer-Encoding");
        return codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
    }

    /** Whether this could be a host, perhaps with a port. Responses repeat it as it is. */
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

    /** Where an address of IPv6 in brackets ends, which may name a zone; -1 if it is none. */
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

    /** Whether the rest is a port; it may be empty. */
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
