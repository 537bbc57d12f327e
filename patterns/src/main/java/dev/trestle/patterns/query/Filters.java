package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Factory methods of filters, for static import:
 *
 * <pre>{@code
 * where(Employee::department).eq("Sales").and(rowKey().startsWith("empid_"))
 * }</pre>
 */
public final class Filters {
    private Filters() {}

    /** Returns the condition on an attribute, which may be stored in a property or a key. */
    public static <T, V> Condition<V> where(Getter<T, V> attribute) {
        return new Condition<>(declared(attribute));
    }

    /** Returns the condition on an optional attribute. Comparisons do not match entities without it. */
    public static <T, V> Condition<V> whereOptional(Getter<T, Optional<V>> attribute) {
        return new Condition<>(declared(attribute));
    }

    private static Operand declared(Getter<?, ?> attribute) {
        return new Operand.Declared(
                Accessor.ownerOf(attribute), Accessor.of(attribute).attribute());
    }

    /** Returns the condition on the partition key. */
    public static Condition<String> partitionKey() {
        return new Condition<>(new Operand.Named(EntityKey.PARTITION_KEY));
    }

    /** Returns the condition on the row key. */
    public static Condition<String> rowKey() {
        return new Condition<>(new Operand.Named(EntityKey.ROW_KEY));
    }

    /** Returns the condition on the time of the last write. */
    public static Condition<Instant> timestamp() {
        return new Condition<>(new Operand.Named("Timestamp"));
    }

    /** Returns the condition on a property by its name on the service, for properties that no class declares. */
    public static Condition<Object> property(String name) {
        if (!name.matches("[\\p{L}_][\\p{L}\\p{Nd}_]*")) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is not a property name: use letters, digits and underscores, and no digit first");
        }
        return new Condition<>(new Operand.Named(name));
    }

    /** Returns a filter for the entities of a type, in a table with several. */
    public static Filter ofType(EntityType<?> type) {
        return property(EntityType.TYPE).eq(type.name());
    }

    /** Returns a filter for the entity with this key. */
    public static Filter is(EntityKey key) {
        return partitionKey().eq(key.partitionKey()).and(rowKey().eq(key.rowKey()));
    }

    /** Returns a filter that matches all entities. */
    public static Filter everything() {
        return new Filter.All(List.of());
    }
}
