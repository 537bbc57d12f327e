package dev.trestle.server.auth;

import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;

/**
 * The grant of a request without credentials: read access to what a container makes public.
 *
 * @param refusal the error for everything else, the same as for a container that is private or missing
 */
record AnonymousGrant(PublicAccess level, String container, StorageError refusal) implements Grant {

    @Override
    public void check(Permission permission, Optional<String> resource) {
        if (resource.isEmpty() || !allows(permission, resource.get())) {
            throw new StorageException(refusal);
        }
    }

    private boolean allows(Permission permission, String resource) {
        return switch (permission.anonymous()) {
            case BLOB -> level != PublicAccess.NONE && resource.startsWith(container + '/');
            case CONTAINER -> level == PublicAccess.CONTAINER && resource.equals(container);
            case NONE -> false;
        };
    }

    @Override
    public boolean mayOverwrite() {
        return false;
    }

    @Override
    public boolean anonymous() {
        return true;
    }
}
