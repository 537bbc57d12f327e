package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.Map;
import java.util.Optional;

/** The grant of a SAS over a container or a blob: some operations on blobs, and on a container to list them. */
record BlobSasGrant(BlobScope target, String permissions, Map<String, String> answerHeaders, Refusals refusals)
        implements Grant {

    BlobSasGrant {
        answerHeaders = Map.copyOf(answerHeaders);
    }

    @Override
    public void check(Operation operation, Optional<String> requested) {
        if (operation.openToSasOf(Service.BLOB) && operation.openToAnySas() && operation.onService()) {
            return;
        }
        if (!operation.openToSasOf(Service.BLOB) || !target.opens(operation)) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE,
                    "No SAS with sr=" + target.kind().word() + " can grant " + operation + ".");
        }
        if (requested.isEmpty() || !target.contains(operation, requested.get())) {
            throw refusals.refuse(StorageError.AUTHORIZATION_FAILURE, "The SAS is for another container or blob.");
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
