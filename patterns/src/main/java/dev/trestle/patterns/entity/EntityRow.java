package dev.trestle.patterns.entity;

import com.azure.data.tables.models.TableEntity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An untyped entity: key, properties by name, ETag and timestamp. Properties have the types of the service, are never null, and do
 * not include keys and timestamp.
 */
public record EntityRow(
        EntityKey key, Map<String, Object> properties, Optional<String> etag, Optional<Instant> timestamp) {
    private static final String ETAG = "odata.etag";

    public EntityRow {
        properties = Map.copyOf(properties);
    }

    /** Returns a row that is not stored yet. */
    public static EntityRow of(EntityKey key, Map<String, Object> properties) {
        return new EntityRow(key, properties, Optional.empty(), Optional.empty());
    }

    /** Converts an entity of the SDK. */
    public static EntityRow of(TableEntity entity) {
        Map<String, Object> properties = new LinkedHashMap<>();
        entity.getProperties().forEach((name, value) -> {
            if (value != null && !isSystemProperty(name)) {
                properties.put(name, value);
            }
        });
        return new EntityRow(
                new EntityKey(entity.getPartitionKey(), entity.getRowKey()),
                properties,
                Optional.ofNullable(entity.getETag()),
                Optional.ofNullable(entity.getTimestamp()).map(time -> time.toInstant()));
    }

    private static boolean isSystemProperty(String name) {
        return name.startsWith("odata.")
                || name.contains("@odata.")
                || name.equals(EntityKey.PARTITION_KEY)
                || name.equals(EntityKey.ROW_KEY)
                || name.equals("Timestamp");
    }

    /** Returns this row with other properties. */
    public EntityRow withProperties(Map<String, Object> others) {
        return new EntityRow(key, others, etag, timestamp);
    }

    /** Returns this row with an ETag, the condition for writing it. */
    public EntityRow withETag(String expected) {
        return new EntityRow(key, properties, Optional.of(expected), timestamp);
    }

    /** Converts to an entity of the SDK. */
    public TableEntity toTableEntity() {
        TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
        properties.forEach(entity::addProperty);
        etag.ifPresent(value -> entity.addProperty(ETAG, value));
        return entity;
    }
}
