package dev.trestle.patterns.index;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Extra;
import java.util.Map;
import java.util.SortedSet;

/** An entity that is a list of the keys of others which share a value. */
@Entity(name = "IndexEntity")
record IndexEntity(String partition, String row, @Extra Map<String, Object> parts) {
    static final EntityType<IndexEntity> TYPE = EntityType.of(IndexEntity.class, "{partition}", "{row}");

    private static final EntityType<Escaped> ESCAPED = EntityType.of(Escaped.class, "{value:escaped}", "-");

    /** Only for its key. */
    private record Escaped(String value) {}

    static IndexEntity of(EntityKey key, SortedSet<String> keys) {
        return new IndexEntity(key.partitionKey(), key.rowKey(), KeyList.properties(keys));
    }

    SortedSet<String> keys() {
        return KeyList.of(parts);
    }

    /** A key, or part of one, made of a name and any text. */
    static String key(String name, String value) {
        return name + "_" + ESCAPED.partitionKeyOf(value);
    }
}
