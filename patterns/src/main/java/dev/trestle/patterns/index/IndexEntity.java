package dev.trestle.patterns.index;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Extra;
import java.util.Map;
import java.util.SortedSet;

/** An index entity: the list of the keys of entities that share a value. */
@Entity(name = "IndexEntity")
record IndexEntity(String partition, String row, @Extra Map<String, Object> parts) {
    static final EntityType<IndexEntity> TYPE = EntityType.of(IndexEntity.class, "{partition}", "{row}");

    private static final EntityType<Escaped> ESCAPED = EntityType.of(Escaped.class, "{value:escaped}", "-");

    /** Used only to escape a value for a key. */
    private record Escaped(String value) {}

    static IndexEntity of(EntityKey key, SortedSet<String> keys) {
        return new IndexEntity(key.partitionKey(), key.rowKey(), KeyList.properties(keys));
    }

    SortedSet<String> keys() {
        return KeyList.of(parts);
    }

    /** Returns a key made of a name and an arbitrary value, escaped. */
    static String key(String name, String value) {
        return name + "_" + ESCAPED.partitionKeyOf(value);
    }
}
