package dev.trestle.server.auth;

/**
 * The resource that a SAS of the Blob service is for.
 *
 * @param blob empty for a container
 * @param snapshot the snapshot of the blob; empty for any other kind
 */
record BlobScope(Kind kind, String container, String blob, String snapshot) {

    /** The kinds of resource, with their values of the field {@code sr}. */
    enum Kind {
        CONTAINER("c"),
        BLOB("b"),
        SNAPSHOT("bs");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** Returns the path as in the string to sign. */
    String path() {
        return kind == Kind.CONTAINER ? container : container + '/' + blob;
    }

    /** Whether a SAS of this kind can grant the permission. */
    boolean opens(Permission permission) {
        return switch (kind) {
            case CONTAINER -> true;
            case BLOB -> permission.isOnObject();
            // Other operations act on the blob itself, which a SAS for a snapshot does not grant.
            case SNAPSHOT -> permission.inSnapshotSas();
        };
    }

    /** Whether the resource of a permitted operation is within this scope. */
    boolean contains(Permission permission, String resource) {
        if (kind != Kind.CONTAINER) {
            return resource.equals(path());
        }
        return permission.isOnObject() ? resource.startsWith(container + '/') : resource.equals(container);
    }
}
