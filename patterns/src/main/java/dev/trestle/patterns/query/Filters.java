package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The beginnings of filters, to be imported statically:
 *
 * <pre>{@code
 * where(Employee::department).eq("Sales").and(rowKey().startsWith("empid_"))
 * }</pre>
 */
public final class Filters {
    private Filters() {}

    /** An attribute of a class. One that is a key is asked of the key. */
    public static <T, V> Condition<V> where(Getter<T, V> attribute) {
        return new Condition<>(declared(attribute));
    }

    /** An attribute that may be absent. Entities without it fulfil no comparison. */
    public static <T, V> Condition<V> whereOptional(Getter<T, Optional<V>> attribute) {
        return new Condition<>(declared(attribute));
    }

    private static Operand declared(Getter<?, ?> attribute) {
        return new Operand.Declared(
                Accessor.ownerOf(attribute), Accessor.of(attribute).attribute());
    }

    public static Condition<String> partitionKey() {
        return new Condition<>(new Operand.Named(EntityKey.PARTITION_KEY));
    }

    public static Condition<String> rowKey() {
        return new Condition<>(new Operand.Named(EntityKey.ROW_KEY));
    }

    /** When an entity was last written. */
    public static Condition<Instant> timestamp() {
        return new Condition<>(new Operand.Named("Timestamp"));
    }

    /** A property by its name on the service, for those that no class declares. */
    public static Condition<Object> property(String name) {
        if (!name.matches("[\\p{L}_][\\p{L}\\p{Nd}_]*")) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a property");
        }
        return new Condition<>(new Operand.Named(name));
    }

    /** Entities that record this type, where a table holds several. */
    public static Filter ofType(EntityType<?> type) {
        return property(EntityType.TYPE).eq(type.name());
    }

    /** The one entity with this key. */
    public static Filter is(EntityKey key) {
        return partitionKey().eq(key.partitionKey()).and(rowKey().eq(key.rowKey()));
    }

    /** All entities; of a table this is a scan. */
    public static Filter everything() {
        return new Filter.All(List.of());
    }
}
