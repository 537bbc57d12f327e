package dev.trestle.server.auth;

import dev.trestle.server.auth.jwt.Claims;
import dev.trestle.server.auth.jwt.InvalidTokenException;
import dev.trestle.server.auth.jwt.TokenVerifier;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks bearer tokens: "Authorize with Microsoft Entra ID". */
final class Bearer {
    /** Ids become lines of what is signed, so nothing may be in them that could end one. */
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z._-]{1,128}");

    private final TokenVerifier tokens;
    private final Refusals refusals;

    Bearer(TokenVerifier tokens, Refusals refusals) {
        this.tokens = tokens;
        this.refusals = refusals;
    }

    Grant verify(String token, SignedRequest request) throws InvalidTokenException {
        // Whoever sees a token can use it until it expires, unlike a signature, which is for one request.
        if (!request.tls() && !SourceAddresses.isLoopback(request.clientAddress())) {
            throw refusals.unauthenticated("A bearer token needs https, except on the machine of the server.");
        }
        return new BearerGrant(caller(tokens.verify(token)), refusals);
    }

    private static Optional<Caller> caller(Claims claims) {
        Optional<String> tid = claims.tid().filter(Bearer::isId);
        return claims.oid().filter(Bearer::isId).flatMap(oid -> tid.map(tenant -> new Caller(oid, tenant)));
    }

    private static boolean isId(String text) {
        return ID.matcher(text).matches();
    }
}
