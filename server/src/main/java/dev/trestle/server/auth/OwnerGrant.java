package dev.trestle.server.auth;

import java.util.Optional;

/** The grant of whoever holds an account key: everything. */
record OwnerGrant() implements Grant {
    static final OwnerGrant INSTANCE = new OwnerGrant();

    @Override
    public void check(Operation operation, Optional<String> resource) {}
}
