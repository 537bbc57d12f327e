package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import java.util.Map;
import java.util.Optional;

/** What authenticated credentials allow; asked once the request is understood. */
public sealed interface Grant
        permits OwnerGrant, BearerGrant, AccountSasGrant, ServiceSasGrant, TableSasGrant, BlobSasGrant, AnonymousGrant {

    /**
     * Returns if the credentials have the permission on the resource, or on the service as a whole when there is none.
     *
     * @param resource the name of a table, a queue or a container, in the form in which names are compared; for what is
     *     done to a blob, the container's name, a slash and the blob's name, decoded
     * @throws StorageException otherwise, with the service's code for what is missing
     */
    void check(Permission permission, Optional<String> resource);

    /** The entities these credentials can see, as a condition on their keys. */
    default Filter scope() {
        return Filter.ALL;
    }

    /**
     * Returns if an entity of this key may be written.
     *
     * @throws StorageException otherwise
     */
    default void checkKey(EntityKey key) {}

    /**
     * Whether the permission to put a blob extends to replacing one that exists, or its blocks. Otherwise only new blobs may
     * be made, and the error for anything else is {@code UnauthorizedBlobOverwrite}; a snapshot replaces nothing.
     */
    default boolean mayOverwrite() {
        return true;
    }

    /** Headers with which a blob that is read has to be answered, whatever it has itself. */
    default Map<String, String> answerHeaders() {
        return Map.of();
    }

    /** Who it is that asks, if their credentials tell. */
    default Optional<Caller> caller() {
        return Optional.empty();
    }

    /** Whether nobody had to show any credentials; then of a blob only what is committed may be shown. */
    default boolean anonymous() {
        return false;
    }
}
