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
 * Makes {@link Write}s of values of one mapping. Those of several mappings may stand in one transaction, if they are of the
 * same table and partition.
 */
public final class EntityWrites<T> {
    private final Rows<T> rows;

    EntityWrites(Rows<T> rows) {
        this.rows = rows;
    }

    /** Fails if there is an entity with the same keys. */
    public Write insert(T value) {
        return new Write(TableTransactionActionType.CREATE, rows.write(value), false);
    }

    /** Inserts, or replaces whatever is there. */
    public Write upsert(T value) {
        return new Write(TableTransactionActionType.UPSERT_REPLACE, rows.write(value), false);
    }

    /** Inserts, or sets the properties of this value and leaves the others that are there. */
    public Write upsertMerge(T value) {
        EntityRow plain = rows.mapping().toRow(value);
        plain.properties().keySet().forEach(name -> refuseEncrypted(plain.key(), name));
        return new Write(TableTransactionActionType.UPSERT_MERGE, plain, false);
    }

    /** Inserts an entity of just these properties, or sets them in the one that is there. */
    public Write upsertMerge(EntityKey key, Delta<T> delta) {
        EntityRow row = row(key, delta);
        Map<String, Object> properties = new LinkedHashMap<>(row.properties());
        if (rows.mapping() instanceof EntityType<T> type) {
            properties.putAll(type.recorded());
        }
        return new Write(TableTransactionActionType.UPSERT_MERGE, row.withProperties(properties), false);
    }

    /** Replaces what was read, if it has not changed since. */
    public Write replace(Stored<T> stored) {
        return new Write(TableTransactionActionType.UPDATE_REPLACE, rows.write(stored), true);
    }

    /** Replaces what is there, in whatever state; fails if there is nothing. */
    public Write replaceUnconditionally(T value) {
        return new Write(TableTransactionActionType.UPDATE_REPLACE, rows.write(value), false);
    }

    /** Changes some properties of what was read, if it has not changed since. */
    public Write merge(Stored<T> stored, Delta<T> delta) {
        EntityRow row = row(stored.key(), delta).withETag(stored.etag());
        return new Write(TableTransactionActionType.UPDATE_MERGE, row, true);
    }

    /** Changes some properties of what is there, in whatever state; fails if there is nothing. */
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
            throw new EncryptionException(
                    "Property " + property + " is encrypted and cannot be merged: the others were"
                            + " encrypted with a key of the stored entity that is not known here. Read the entity and replace it");
        }
    }

    /** Deletes what was read, if it has not changed since. */
    public Write delete(Stored<?> stored) {
        EntityRow row = EntityRow.of(stored.key(), Map.of()).withETag(stored.etag());
        return new Write(TableTransactionActionType.DELETE, row, true);
    }

    /** Deletes what is there, in whatever state. In a transaction it fails if there is nothing. */
    public Write delete(EntityKey key) {
        return new Write(TableTransactionActionType.DELETE, EntityRow.of(key, Map.of()), false);
    }
}
