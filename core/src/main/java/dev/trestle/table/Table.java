package dev.trestle.table;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.keyspace.Key;
import dev.trestle.model.EntityKey;
import dev.trestle.model.TableName;
import java.util.List;

/**
 * A table that exists, resolved once for a request.
 *
 * @param created in ticks
 */
public record Table(String account, TableName name, long id, long created, List<AccessPolicy> policies) {

    /** Where the entity is, or would be. */
    public Key key(EntityKey entity) {
        return Key.of(id, entity.partitionKey(), entity.rowKey());
    }
}
