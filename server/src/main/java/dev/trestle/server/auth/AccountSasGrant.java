package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import java.util.Optional;

/**
 * The grant of an account SAS: some operations on some resource types, for all tables, queues or containers of the
 * account.
 */
record AccountSasGrant(String resourceTypes, String permissions, Refusals refusals) implements Grant {

    @Override
    public void check(Permission permission, Optional<String> resource) {
        if (permission.isClosedToSas()) {
            throw refusals.refuse(StorageError.AUTHORIZATION_FAILURE, "No SAS can grant " + permission + ".");
        }
        if (permission.isOpenToAnySas()) {
            return;
        }
        if (resourceTypes.indexOf(permission.resourceType()) < 0) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_RESOURCE_TYPE_MISMATCH,
                    permission + " needs srt to have '" + permission.resourceType() + "'.");
        }
        if (!permission.allowedBy(permissions)) {
            throw refusals.withoutPermission(permission);
        }
    }

    @Override
    public boolean mayOverwrite() {
        return permissions.indexOf('w') >= 0;
    }
}
