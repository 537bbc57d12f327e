package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.Map;
import java.util.Optional;

/** The grant of a SAS for a container or a blob: some operations on blobs, and listing the blobs of a container. */
record BlobSasGrant(BlobScope target, String permissions, Map<String, String> responseHeaders, Refusals refusals)
        implements Grant {

    BlobSasGrant {
        responseHeaders = Map.copyOf(responseHeaders);
    }

    @Override
    public void check(Permission permission, Optional<String> requested) {
        if (permission.isInSasOf(Service.BLOB) && permission.isOpenToAnySas() && permission.isOnService()) {
            return;
        }
        if (!permission.isInSasOf(Service.BLOB) || !target.opens(permission)) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE,
                    "No SAS with sr=" + target.kind().word() + " can grant " + permission + ".");
        }
        if (requested.isEmpty() || !target.contains(permission, requested.get())) {
            throw refusals.refuse(StorageError.AUTHORIZATION_FAILURE, "The SAS is for another container or blob.");
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
