package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.server.codec.QueryParameters;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that authentication uses.
 *
 * @param method as on the wire, even if it tunnels another verb
 * @param account without the {@code -secondary} suffix
 * @param rawPath the path as sent, percent-encoded, with the account segment in path-style addresses
 * @param rawResource the path after the account segment; the whole path in host-style addresses
 * @param query the decoded query parameters
 * @param header returns the value of a header by its name in any case, or null
 * @param headers all headers in any order; read only for services that sign more than a few
 * @param clientAddress the remote address as an IP literal
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

    /** Returns the value of a header; absent means empty, as in signatures. */
    String headerOrEmpty(String name) {
        String value = header.apply(name);
        return value == null ? "" : value;
    }

    /** Whether the account is the first path segment rather than a part of the host name. */
    boolean pathStyle() {
        return rawPath.length() != rawResource.length();
    }

    /** Returns the table, queue or container that the path names, decoded; empty for the service itself. */
    String resourceName() {
        int end = rawResource.indexOf('/', 1);
        String segment = rawResource.substring(0, end < 0 ? rawResource.length() : end);
        return QueryParameters.decode(segment.startsWith("/") ? segment.substring(1) : segment, false);
    }
}
