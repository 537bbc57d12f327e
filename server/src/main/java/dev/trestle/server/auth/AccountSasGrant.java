package dev.trestle.server.auth;

import dev.trestle.model.StorageError;
import java.util.Optional;

/** The grant of an account SAS: some operations on some kinds of resources, in all tables, queues or containers alike. */
record AccountSasGrant(String resourceTypes, String permissions, Refusals refusals) implements Grant {

    @Override
    public void check(Operation operation, Optional<String> resource) {
        if (operation.closedToSas()) {
            throw refusals.refuse(StorageError.AUTHORIZATION_FAILURE, "No SAS can grant " + operation + ".");
        }
        if (operation.openToAnySas()) {
            return;
        }
        if (resourceTypes.indexOf(operation.resourceType()) < 0) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_RESOURCE_TYPE_MISMATCH,
                    operation + " needs srt to have '" + operation.resourceType() + "'.");
        }
        if (!operation.allowedBy(permissions)) {
            throw refusals.withoutPermission(operation);
        }
    }

    @Override
    public boolean mayOverwrite() {
        return permissions.indexOf('w') >= 0;
    }
}
