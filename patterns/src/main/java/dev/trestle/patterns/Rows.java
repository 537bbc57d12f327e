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

/** The whole way between a value and what is sent: mapping, then encryption, and back. */
record Rows<T>(EntityMapping<T> mapping, Optional<PropertyEncryption> encryption) {
    Rows {
        if (encryption.isEmpty() && !mapping.encryptedProperties().isEmpty()) {
            throw new IllegalArgumentException(mapping + " has properties to encrypt, " + mapping.encryptedProperties()
                    + ": give the table a PropertyEncryption");
        }
    }

    EntityRow write(T value) {
        return encrypted(mapping.toRow(value));
    }

    /** The same for what was read before, with the properties that its class does not know. */
    EntityRow write(Stored<T> stored) {
        EntityRow row = mapping.toRow(stored.value());
        if (!row.key().equals(stored.key())) {
            throw new IllegalArgumentException("The changed value belongs at " + row.key() + " and not at "
                    + stored.key() + ": a key cannot change, so insert it anew and delete the other");
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
