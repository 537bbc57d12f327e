package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.model.EntityKey;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import java.util.Optional;

/** What authenticated credentials allow; asked once the request is understood. */
public sealed interface Grant permits OwnerGrant, AccountSasGrant, TableSasGrant {

    /**
     * Returns if the operation is allowed on the table, or on the service as a whole when there is none.
     *
     * @throws StorageException otherwise, with the service's code for what is missing
     */
    void check(Operation operation, Optional<TableName> table);

    /** The entities these credentials can see, as a condition on their keys. */
    Filter scope();

    /**
     * Returns if an entity of this key may be written.
     *
     * @throws StorageException otherwise
     */
    void checkKey(EntityKey key);
}
