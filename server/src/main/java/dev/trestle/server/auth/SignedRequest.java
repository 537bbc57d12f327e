package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.server.codec.QueryParameters;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What of a request takes part in its authentication.
 *
 * @param method as on the wire, also where another verb is tunnelled through it
 * @param account without the {@code -secondary} suffix
 * @param rawPath the path as it was sent, still percent-encoded, with the account segment where the style has one
 * @param rawResource the part of it behind the account segment, or all of it where the style has none
 * @param query the decoded query parameters
 * @param header the value of a header by its name in any case, or null
 * @param headers all headers in any order; looked through only for services that sign more than a few
 * @param clientAddress the peer's address as an IP literal
 * @param tls whether the connection is encrypted
 */
public record SignedRequest(
        Service service,
        String method,
        String account,
        String rawPath,
        String rawResource,
        QueryParameters query,
        Function<String, @Nullable String> header,
        Iterable<Map.Entry<String, String>> headers,
        String clientAddress,
        boolean tls) {

    /** The value of a header, where an absent one is the same as an empty one, as it is in signatures. */
    String headerOrEmpty(String name) {
        String value = header.apply(name);
        return value == null ? "" : value;
    }

    /** Whether the account is the first segment of the path, rather than a part of the host name. */
    boolean pathStyle() {
        return rawPath.length() != rawResource.length();
    }

    /** The table, queue or container that the path leads to, decoded; empty when it leads to the service itself. */
    String resourceName() {
        int end = rawResource.indexOf('/', 1);
        String segment = rawResource.substring(0, end < 0 ? rawResource.length() : end);
        return QueryParameters.decode(segment.startsWith("/") ? segment.substring(1) : segment, false);
    }
}
