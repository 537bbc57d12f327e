package dev.trestle.server.http;

import dev.trestle.server.pipeline.HeaderNames;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * What has to hold of a head beyond what the codec sees to. A proxy in front may read a head that says a thing twice, or
 * in words of its own, otherwise than this server does, and whoever writes such heads gets requests past it.
 */
final class HeaderValidator {
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
}
