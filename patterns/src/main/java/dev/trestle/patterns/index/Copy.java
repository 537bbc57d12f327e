package dev.trestle.patterns.index;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.EntityType;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The definition of a secondary index: how a copy of an entity is derived and under which keys it is stored.
 *
 * <pre>{@code
 * Copy<Employee, Employee> byEmail = Copy.of(employee.keyedBy("{department}", "email_{email}"));
 * }</pre>
 *
 * @param type the mapping of the copy
 * @param of derives the copy from a value; empty if the value is not indexed
 * @param <T> the type of the entity
 * @param <C> the type of the copy, which may have fewer attributes
 */
public record Copy<T, C>(EntityType<C> type, Function<T, Optional<C>> of) {
    /** Returns an index whose copies hold the whole value. */
    public static <T> Copy<T, T> of(EntityType<T> type) {
        return new Copy<>(type, Optional::of);
    }

    /** Returns an index whose copies hold a part of the value. */
    public static <T, C> Copy<T, C> of(EntityType<C> type, Function<T, C> part) {
        return new Copy<>(type, value -> Optional.of(part.apply(value)));
    }

    /** Returns this index restricted to some values, for example those that have the property used in the key. */
    public Copy<T, C> when(Predicate<T> some) {
        return new Copy<>(type, value -> some.test(value) ? of.apply(value) : Optional.empty());
    }

    Optional<EntityRow> row(T value) {
        return of.apply(value).map(type::toRow);
    }

    Optional<EntityKey> key(T value) {
        return of.apply(value).map(type::key);
    }
}
