package dev.trestle.server.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * What has to hold of a head beyond what the codec sees to. A proxy in front may read a head that says a thing twice, or
 * in words of its own, otherwise than this server does, and whoever writes such heads gets requests past it.
 */
final class RequestHead {
    private RequestHead() {}

    /** Whether there is just one way to read where a request goes and where it ends. */
    static boolean isPlain(HttpServerRequest http) {
        return http.headers().getAll(HeaderNames.of("Host")).size() <= 1
                && (!http.headers().contains(HeaderNames.of("Transfer-Encoding")) || isChunked(http));
    }

    private static boolean isChunked(HttpServerRequest http) {
        List<String> codings = http.headers().getAll("Transfer-Encoding");
        return codings.size() == 1 && codings.get(0).strip().equalsIgnoreCase("chunked");
    }

    /** Whether this could be a host with its port. Answers repeat it as it is. */
    static boolean isHost(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetterOrDigit(c) && ".-_:[]%".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
