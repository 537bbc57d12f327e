package dev.trestle.patterns.entity;

import com.azure.data.tables.models.TableEntity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An entity without a type: its key, its properties by name, and what the service says of it. Properties have the types
 * of the service and are never null; keys and timestamp are not among them.
 */
public record EntityRow(
        EntityKey key, Map<String, Object> properties, Optional<String> etag, Optional<Instant> timestamp) {
    private static final String ETAG = "odata.etag";

    public EntityRow {
        properties = Map.copyOf(properties);
    }

    /** A row that is not stored yet. */
    public static EntityRow of(EntityKey key, Map<String, Object> properties) {
        return new EntityRow(key, properties, Optional.empty(), Optional.empty());
    }

    /** A row as the SDK read it. */
    public static EntityRow of(TableEntity entity) {
        Map<String, Object> properties = new LinkedHashMap<>();
        entity.getProperties().forEach((name, value) -> {
            if (value != null && !isOfTheService(name)) {
                properties.put(name, value);
            }
        });
        return new EntityRow(
                new EntityKey(entity.getPartitionKey(), entity.getRowKey()),
                properties,
                Optional.ofNullable(entity.getETag()),
                Optional.ofNullable(entity.getTimestamp()).map(time -> time.toInstant()));
    }

    private static boolean isOfTheService(String name) {
        return name.startsWith("odata.")
                || name.contains("@odata.")
                || name.equals(EntityKey.PARTITION_KEY)
                || name.equals(EntityKey.ROW_KEY)
                || name.equals("Timestamp");
    }

    /** The same row with other properties. */
    public EntityRow withProperties(Map<String, Object> others) {
        return new EntityRow(key, others, etag, timestamp);
    }

    /** The same row, to be written only if the stored one still has this ETag. */
    public EntityRow withETag(String expected) {
        return new EntityRow(key, properties, Optional.of(expected), timestamp);
    }

    /** The row as the SDK writes it. */
    public TableEntity toTableEntity() {
        TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
        properties.forEach(entity::addProperty);
        etag.ifPresent(value -> entity.addProperty(ETAG, value));
        return entity;
    }
}
