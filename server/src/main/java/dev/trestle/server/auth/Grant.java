package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import java.util.Map;
import java.util.Optional;

/** What the credentials of a request allow. */
public sealed interface Grant
        permits OwnerGrant, BearerGrant, AccountSasGrant, ServiceSasGrant, TableSasGrant, BlobSasGrant, AnonymousGrant {

    /**
     * Returns if the credentials have the permission on the resource, or on the service as a whole if it is empty.
     *
     * @param resource the name of a table, queue or container, in the form in which names are compared; for a
     *     blob, the container's name, a slash and the blob's name, decoded
     * @throws StorageException otherwise, with the service's error code for the missing permission
     */
    void check(Permission permission, Optional<String> resource);

    /** Returns a condition on the keys of the entities that these credentials can read. */
    default Filter scope() {
        return Filter.ALL;
    }

    /** Returns if an entity with this key may be written. */
    default void checkKey(EntityKey key) {}

    /**
     * Whether the permission to put a blob includes overwriting an existing one or its blocks. If not, only new blobs
     * may be created, and other attempts fail with {@code UnauthorizedBlobOverwrite}. Creating a snapshot overwrites
     * nothing.
     */
    default boolean mayOverwrite() {
        return true;
    }

    /** Returns response headers that override those of a blob that is read. */
    default Map<String, String> responseHeaders() {
        return Map.of();
    }

    /** Returns the identity of the client, if the credentials contain it. */
    default Optional<Caller> caller() {
        return Optional.empty();
    }

    /** Whether the request had no credentials; then only committed parts of a blob may be shown. */
    default boolean anonymous() {
        return false;
    }
}
