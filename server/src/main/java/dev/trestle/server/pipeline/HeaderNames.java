package dev.trestle.server.pipeline;

import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Header names whose hash is computed once. The codec keeps headers in a hash table and would compute the hash of
 * a String for each access. Contains the names that nearly every request or response uses.
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

    /** Returns the name with its hash if it is one of these, otherwise the name itself. */
    public static CharSequence of(String name) {
        return KNOWN.getOrDefault(name, name);
    }
}
