package dev.trestle.server.auth;

import dev.trestle.model.PublicAccess;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;

/**
 * The grant of nobody in particular: to read what a container shows to everybody.
 *
 * @param refusal the answer to all else, the same as for a container that shows nothing or is not there
 */
record AnonymousGrant(PublicAccess level, String container, StorageError refusal) implements Grant {

    @Override
    public void check(Operation operation, Optional<String> resource) {
        if (resource.isEmpty() || !allows(operation, resource.get())) {
            throw new StorageException(refusal);
        }
    }

    private boolean allows(Operation operation, String resource) {
        return switch (operation) {
            case GET_BLOB -> level != PublicAccess.NONE && resource.startsWith(container + '/');
            case LIST_BLOBS, GET_CONTAINER_PROPERTIES -> level == PublicAccess.CONTAINER && resource.equals(container);
            default -> false;
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
