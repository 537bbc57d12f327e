package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import java.util.Optional;

/** What authenticated credentials allow; asked once the request is understood. */
public sealed interface Grant permits OwnerGrant, AccountSasGrant, ServiceSasGrant, TableSasGrant {

    /**
     * Returns if the operation is allowed on the resource, or on the service as a whole when there is none.
     *
     * @param resource the name of a table or a queue, in the form in which names are compared
     * @throws StorageException otherwise, with the service's code for what is missing
     */
    void check(Operation operation, Optional<String> resource);

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
}
