package dev.trestle.server.auth;

import dev.trestle.model.BlobName;
import dev.trestle.server.codec.QueryParameters;

/**
 * The container and the blob that a path of the Blob service names, decoded; each is empty if absent.
 *
 * @param blobAsSent the name before backslashes are replaced by slashes
 */
record BlobPath(String container, String blob, String blobAsSent) {
    private static final String ROOT_CONTAINER = "$root";

    static BlobPath of(SignedRequest request) {
        String raw = request.rawResource();
        int start = raw.startsWith("/") ? 1 : 0;
        int slash = raw.indexOf('/', start);
        if (slash >= 0) {
            return of(decoded(raw.substring(start, slash)), decoded(raw.substring(slash + 1)));
        }
        String only = decoded(raw.substring(start));
        // Requests for a container have restype; without it, a single name is a blob in the root container.
        return only.isEmpty() || request.query().has("restype") ? of(only, "") : of(ROOT_CONTAINER, only);
    }

    private static BlobPath of(String container, String blob) {
        return new BlobPath(container, BlobName.normalize(blob), blob);
    }

    private static String decoded(String text) {
        return QueryParameters.decode(text, false);
    }
}
