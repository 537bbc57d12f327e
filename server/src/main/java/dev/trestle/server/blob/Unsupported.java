package dev.trestle.server.blob;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.Optional;

/** What the service has and this server does not. */
final class Unsupported {
    private Unsupported() {}

    static StorageException notBuilt(String what) {
        return new StorageException(
                StorageError.NOT_IMPLEMENTED,
                "This server has no " + what + ". See docs/compatibility.md for what it has.");
    }

    /** Returns if no version of a blob but the current one is asked for. */
    static void refuseVersions(Optional<String> id) {
        if (id.isPresent()) {
            throw notBuilt("versions of blobs");
        }
    }
}
