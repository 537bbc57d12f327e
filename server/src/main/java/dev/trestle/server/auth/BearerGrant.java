package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import java.util.Optional;

/** The grant of a bearer token: everything, because this server has no roles. */
record BearerGrant(Optional<Caller> caller, Refusals refusals) implements Grant {

    @Override
    public void check(Permission permission, Optional<String> resource) {
        if (permission.namedBearersOnly() && caller.isEmpty()) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE, "The token does not say by oid and tid whose key it would be.");
        }
    }
}
