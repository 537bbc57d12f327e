package dev.trestle.server.blob;

import dev.trestle.blob.BlobAddress;
import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.QueryParameters;

/**
 * The container and the blob in a path; each is empty if absent. A path that ends with the slash after the
 * container names neither a blob, because blob names are not empty, nor the container, which needs
 * {@code restype}.
 */
record BlobPath(String container, String blob) {
    static BlobPath of(String rawResource, boolean isContainer) {
        int slash = rawResource.indexOf('/', 1);
        if (slash >= 0) {
            return new BlobPath(decoded(rawResource.substring(1, slash)), blobName(rawResource.substring(slash + 1)));
        }
        String only = rawResource.substring(1);
        return isContainer || only.isEmpty()
                ? new BlobPath(decoded(only), "")
                : new BlobPath(ContainerName.ROOT.value(), blobName(only));
    }

    private static String decoded(String text) {
        return QueryParameters.decode(text, false);
    }

    private static String blobName(String text) {
        return BlobName.normalize(decoded(text));
    }

    boolean isAccount() {
        return container.isEmpty() && blob.isEmpty();
    }

    ContainerName containerAlone() {
        if (container.isEmpty() || !blob.isEmpty()) {
            throw new StorageException(StorageError.INVALID_URI);
        }
        return new ContainerName(container);
    }

    BlobAddress blob(String account) {
        if (container.isEmpty() || blob.isEmpty()) {
            throw new StorageException(StorageError.INVALID_URI);
        }
        return new BlobAddress(account, new ContainerName(container), new BlobName(blob));
    }
}
