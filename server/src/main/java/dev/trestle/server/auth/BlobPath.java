package dev.trestle.server.auth;

/** The container and the blob that a path of the Blob service leads to, decoded; each is empty when there is none. */
record BlobPath(String container, String blob) {
    private static final String ROOT_CONTAINER = "$root";

    static BlobPath of(SignedRequest request) {
        String raw = request.rawResource();
        int start = raw.startsWith("/") ? 1 : 0;
        int slash = raw.indexOf('/', start);
        if (slash >= 0) {
            return new BlobPath(decoded(raw.substring(start, slash)), decoded(raw.substring(slash + 1)));
        }
        String only = decoded(raw.substring(start));
        // What is asked of a container says so, or else a name by itself is that of a blob in the root container.
        return only.isEmpty() || request.query().has("restype")
                ? new BlobPath(only, "")
                : new BlobPath(ROOT_CONTAINER, only);
    }

    private static String decoded(String text) {
        return QueryParameters.decode(text, false);
    }
}
