package dev.trestle.patterns;

import com.azure.data.tables.models.TableEntity;
import dev.trestle.patterns.crypto.PropertyEncryption;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.Stored;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Converts between values and stored rows: mapping and encryption, and back. */
record RowMapper<T>(EntityMapping<T> mapping, Optional<PropertyEncryption> encryption) {
    RowMapper {
        if (encryption.isEmpty() && !mapping.encryptedProperties().isEmpty()) {
            throw new IllegalArgumentException(mapping + " has encrypted properties, " + mapping.encryptedProperties()
                    + ": give the table a PropertyEncryption");
        }
    }

    EntityRow write(T value) {
        return encrypted(mapping.toRow(value));
    }

    /** Converts a value that was read before, keeping the properties that its class does not know. */
    EntityRow write(Stored<T> stored) {
        EntityRow row = mapping.toRow(stored.value());
        if (!row.key().equals(stored.key())) {
            throw new IllegalArgumentException("The changed value has the key " + row.key() + " instead of "
                    + stored.key() + ": a key cannot change, so insert a new entity and delete the old one");
        }
        Map<String, Object> all = new LinkedHashMap<>(stored.unknownProperties());
        all.putAll(row.properties());
        return encrypted(row.withProperties(all)).withETag(stored.etag());
    }

    private EntityRow encrypted(EntityRow row) {
        return encryption
                .map(known -> known.encrypt(row, mapping.encryptedProperties()))
                .orElse(row);
    }

    Stored<T> read(TableEntity entity) {
        return read(EntityRow.of(entity), mapping::fromRow);
    }

    <P> Stored<P> read(EntityRow row, Function<EntityRow, Stored<P>> reader) {
        return reader.apply(encryption
                .map(known -> known.decrypt(row, mapping.encryptedProperties()))
                .orElse(row));
    }
}
