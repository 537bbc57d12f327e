package dev.trestle.server.pipeline;

import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of headers that nearly every request or answer has or is asked for. The codec keeps headers in a table; in the
 * form given here a name carries its place in it along, where a String's is computed each time, letter by letter.
 */
public final class HeaderNames {
    private static final Map<String, CharSequence> KNOWN = Stream.of(
                    "Accept",
                    "Authorization",
                    "Cache-Control",
                    "Content-Length",
                    "Content-MD5",
                    "Content-Type",
                    "Date",
                    "ETag",
                    "Host",
                    "Location",
                    "Preference-Applied",
                    "Server",
                    "Transfer-Encoding",
                    "X-Content-Type-Options",
                    "X-HTTP-Method",
                    "authorization",
                    "content-md5",
                    "content-type",
                    "date",
                    "if-match",
                    "if-none-match",
                    "prefer",
                    "x-ms-client-request-id",
                    "x-ms-date",
                    "x-ms-request-id",
                    "x-ms-version",
                    "x-trestle-explain")
            .collect(Collectors.toUnmodifiableMap(Function.identity(), HttpHeaders::createOptimized));

    private HeaderNames() {}

    /** The name in that form if it is one of these, else as it is. */
    public static CharSequence of(String name) {
        return KNOWN.getOrDefault(name, name);
    }
}
