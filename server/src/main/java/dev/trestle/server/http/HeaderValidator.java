package dev.trestle.server.http;

import dev.trestle.server.pipeline.HeaderNames;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * Rejects ambiguous request heads that the codec accepts. A proxy in front of the server may interpret such a head
 * differently, which allows request smuggling.
 */
final class HeaderValidator {
    private HeaderValidator() {}

    /** Whether the host and the end of the request are unambiguous. */
    static boolean isPlain(HttpServerRequest http) {
        return http.headers().getAll(HeaderNames.of("Host")).size() <= 1
                && (!http.headers().contains(HeaderNames.of("Transfer-Encoding")) || isChunked(http));
    }

    private static boolean isChunked(HttpServerRequest http) {
        // The codec removes white space around a value, unless the value is folded into several lines.
        List<String> codings = http.headers().getAll("Transfer-Encoding");
        return codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked");
    }
}
