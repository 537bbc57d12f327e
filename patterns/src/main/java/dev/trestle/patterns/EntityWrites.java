package dev.trestle.patterns;

import com.azure.data.tables.models.TableTransactionActionType;
import dev.trestle.patterns.crypto.EncryptionException;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Stored;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A factory of {@link Write}s for the entities of one mapping. Writes of several mappings may share a transaction if they are of
 * the same table and partition.
 */
public final class EntityWrites<T> {
    private final RowMapper<T> rows;

    EntityWrites(RowMapper<T> rows) {
        this.rows = rows;
    }

    /** Returns an insert, which fails if an entity with the same key exists. */
    public Write insert(T value) {
        return new Write(TableTransactionActionType.CREATE, rows.write(value), false);
    }

    /** Returns a write that inserts a value or replaces the existing entity. */
    public Write upsert(T value) {
        return new Write(TableTransactionActionType.UPSERT_REPLACE, rows.write(value), false);
    }

    /** Returns a write that inserts a value or merges its properties into the existing entity. */
    public Write upsertMerge(T value) {
        EntityRow plain = rows.mapping().toRow(value);
        plain.properties().keySet().forEach(name -> refuseEncrypted(plain.key(), name));
        return new Write(TableTransactionActionType.UPSERT_MERGE, plain, false);
    }

    /** Returns a write that merges properties into the existing entity, or inserts an entity with just these. */
    public Write upsertMerge(EntityKey key, Delta<T> delta) {
        EntityRow row = row(key, delta);
        Map<String, Object> properties = new LinkedHashMap<>(row.properties());
        if (rows.mapping() instanceof EntityType<T> type) {
            properties.putAll(type.recorded());
        }
        return new Write(TableTransactionActionType.UPSERT_MERGE, row.withProperties(properties), false);
    }

    /** Returns a replace, on the condition that the ETag is unchanged since the entity was read. */
    public Write replace(Stored<T> stored) {
        return new Write(TableTransactionActionType.UPDATE_REPLACE, rows.write(stored), true);
    }

    /** Returns a replace of an existing entity, whatever its ETag; fails if there is none. */
    public Write replaceUnconditionally(T value) {
        return new Write(TableTransactionActionType.UPDATE_REPLACE, rows.write(value), false);
    }

    /** Returns a merge, on the condition that the ETag is unchanged since the entity was read. */
    public Write merge(Stored<T> stored, Delta<T> delta) {
        EntityRow row = row(stored.key(), delta).withETag(stored.etag());
        return new Write(TableTransactionActionType.UPDATE_MERGE, row, true);
    }

    /** Returns a merge into an existing entity, whatever its ETag; fails if there is none. */
    public Write merge(EntityKey key, Delta<T> delta) {
        return new Write(TableTransactionActionType.UPDATE_MERGE, row(key, delta), false);
    }

    private EntityRow row(EntityKey key, Delta<T> delta) {
        Map<String, Object> properties = delta.properties(rows.mapping());
        properties.keySet().forEach(name -> refuseEncrypted(key, name));
        return EntityRow.of(key, properties);
    }

    private void refuseEncrypted(EntityKey key, String property) {
        boolean encrypted = rows.encryption()
                .map(known -> known.encrypts(key, property, rows.mapping().encryptedProperties()))
                .orElse(false);
        if (encrypted) {
            throw new EncryptionException("Property " + property
                    + " is encrypted and cannot be merged: its content key is in the stored entity."
                    + " Read the entity and replace it");
        }
    }

    /** Returns a delete, on the condition that the ETag is unchanged since the entity was read. */
    public Write delete(Stored<?> stored) {
        EntityRow row = EntityRow.of(stored.key(), Map.of()).withETag(stored.etag());
        return new Write(TableTransactionActionType.DELETE, row, true);
    }

    /** Returns a delete, whatever the ETag. In a transaction it fails if there is no entity. */
    public Write delete(EntityKey key) {
        return new Write(TableTransactionActionType.DELETE, EntityRow.of(key, Map.of()), false);
    }
}
