package dev.trestle.server.auth;

import dev.trestle.server.auth.jwt.Claims;
import dev.trestle.server.auth.jwt.InvalidTokenException;
import dev.trestle.server.auth.jwt.TokenVerifier;
import java.util.Optional;
import java.util.regex.Pattern;

/** Verifies bearer tokens: "Authorize with Microsoft Entra ID". */
final class BearerAuthentication {
    /** Ids become lines of a string to sign, so they must not contain a line end. */
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z._-]{1,128}");

    private final TokenVerifier tokens;
    private final Refusals refusals;

    BearerAuthentication(TokenVerifier tokens, Refusals refusals) {
        this.tokens = tokens;
        this.refusals = refusals;
    }

    Grant verify(String token, SignedRequest request) throws InvalidTokenException {
        // A stolen token can be replayed until it expires, unlike a signature, which is valid for one request.
        if (!request.tls() && !SourceAddresses.isLoopback(request.clientAddress())) {
            throw refusals.unauthenticated("A bearer token needs https, except on the machine of the server.");
        }
        return new BearerGrant(caller(tokens.verify(token)), refusals);
    }

    private static Optional<Caller> caller(Claims claims) {
        Optional<String> tid = claims.tid().filter(BearerAuthentication::isId);
        return claims.oid()
                .filter(BearerAuthentication::isId)
                .flatMap(oid -> tid.map(tenant -> new Caller(oid, tenant)));
    }

    private static boolean isId(String text) {
        return ID.matcher(text).matches();
    }
}
