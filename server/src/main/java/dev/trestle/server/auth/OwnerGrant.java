package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;

/** The grant of an account key: everything, except operations that require a user's identity. */
record OwnerGrant() implements Grant {
    static final OwnerGrant INSTANCE = new OwnerGrant();

    @Override
    public void check(Permission permission, Optional<String> resource) {
        if (permission.namedBearersOnly()) {
            throw new StorageException(
                    StorageError.AUTHENTICATION_FAILED,
                    StorageError.AUTHENTICATION_FAILED.message() + " Only authentication scheme Bearer is supported.");
        }
    }
}
