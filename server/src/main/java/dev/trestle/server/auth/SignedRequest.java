package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What of a request takes part in its authentication.
 *
 * @param method as on the wire, also where another verb is tunnelled through it
 * @param account without the {@code -secondary} suffix
 * @param rawPath the path as it was sent, still percent-encoded, with the account segment where the style has one
 * @param query the decoded query parameters
 * @param header the value of a header by its name in any case, or null
 * @param clientAddress the peer's address as an IP literal
 * @param tls whether the connection is encrypted
 */
public record SignedRequest(
        Service service,
        String method,
        String account,
        String rawPath,
        QueryParameters query,
        Function<String, @Nullable String> header,
        String clientAddress,
        boolean tls) {}
