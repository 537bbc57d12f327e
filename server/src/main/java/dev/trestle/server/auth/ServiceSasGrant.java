package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.Optional;

/** The grant of a service SAS: some operations on the contents of one table or queue. */
record ServiceSasGrant(Service service, String resource, String permissions, Refusals refusals) implements Grant {

    @Override
    public void check(Permission permission, Optional<String> requested) {
        if (!permission.isInSasOf(service)) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_FAILURE,
                    "No SAS over a single " + service.word() + " can grant " + permission + ".");
        }
        if (requested.isEmpty() || !requested.get().equals(resource)) {
            throw refusals.refuse(StorageError.AUTHORIZATION_FAILURE, "The SAS is for another " + service.word() + ".");
        }
        if (!permission.allowedBy(permissions)) {
            throw refusals.withoutPermission(permission);
        }
    }
}
