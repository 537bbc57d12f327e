package dev.trestle.table;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.keyspace.Key;
import dev.trestle.model.EntityKey;
import dev.trestle.model.TableName;
import java.util.List;

/**
 * An existing table, resolved once per request.
 *
 * @param created in ticks
 */
public record Table(String account, TableName name, long id, long created, List<AccessPolicy> policies) {

    /** Returns the row key of an entity, whether it exists or not. */
    public Key key(EntityKey entity) {
        return Key.of(id, entity.partitionKey(), entity.rowKey());
    }
}
