package dev.trestle.server.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;

/** Errors for features of the service that this server does not have. */
final class Unsupported {
    private Unsupported() {}

    static StorageException notBuilt(String what) {
        return new StorageException(
                StorageError.NOT_IMPLEMENTED,
                "This server has no " + what + ". See docs/compatibility.md for what it has.");
    }

    /** Throws if the request names a version of a blob. */
    static void refuseVersions(Optional<String> id) {
        if (id.isPresent()) {
            throw notBuilt("versions of blobs");
        }
    }
}
