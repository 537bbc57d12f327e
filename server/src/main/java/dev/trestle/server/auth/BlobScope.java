package dev.trestle.server.auth;

/**
 * What a signature of the Blob service is over.
 *
 * @param blob empty for a container
 * @param snapshot which snapshot of the blob, empty for any other kind
 */
record BlobScope(Kind kind, String container, String blob, String snapshot) {

    /** The kinds of resource, with their words in the field {@code sr}. */
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

    /** As in the text that is signed. */
    String path() {
        return kind == Kind.CONTAINER ? container : container + '/' + blob;
    }

    /** Whether a SAS of this kind can open the operation. */
    boolean opens(Permission permission) {
        return switch (kind) {
            case CONTAINER -> true;
            case BLOB -> permission.isOnObject();
            // Whatever else is done to a blob is done to itself, which such a signature does not open.
            case SNAPSHOT -> permission.inSnapshotSas();
        };
    }

    /** Whether the resource of an operation that is open lies in here. */
    boolean contains(Permission permission, String resource) {
        if (kind != Kind.CONTAINER) {
            return resource.equals(path());
        }
        return permission.isOnObject() ? resource.startsWith(container + '/') : resource.equals(container);
    }
}
