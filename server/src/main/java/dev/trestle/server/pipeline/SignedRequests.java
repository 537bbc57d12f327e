package dev.trestle.server.pipeline;

import dev.trestle.server.auth.SignedRequest;
import java.util.List;
import java.util.Optional;

/** Converts requests into the form that authentication needs. */
public final class SignedRequests {
    private SignedRequests() {}

    static SignedRequest of(Request request) {
        RequestAddress address = request.address();
        return new SignedRequest(
                request.service(),
                request.method(),
                address.account(),
                address.rawPath(),
                address.rawResource(),
                address.query(),
                request::headerOrNull,
                request.headers(),
                request.remote().address(),
                request.remote().tls());
    }

    /**
     * Creates a read of another address by the sender of a request, with the credentials in that address or these.
     */
    public static SignedRequest readOf(RequestAddress other, Request request, Optional<String> authorization) {
        return new SignedRequest(
                request.service(),
                "GET",
                other.account(),
                other.rawPath(),
                other.rawResource(),
                other.query(),
                name -> name.equalsIgnoreCase("x-ms-version")
                        ? request.headerOrNull(name)
                        : name.equalsIgnoreCase("Authorization") ? authorization.orElse(null) : null,
                List.of(),
                request.remote().address(),
                request.remote().tls());
    }
}
