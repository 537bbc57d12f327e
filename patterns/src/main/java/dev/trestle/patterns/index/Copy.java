package dev.trestle.patterns.index;

import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.EntityType;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A second form of an entity, found under keys of its own.
 *
 * <pre>{@code
 * Copy<Employee, Employee> byEmail = Copy.of(employee.keyedBy("{department}", "email_{email}"));
 * }</pre>
 *
 * @param type how the copy is stored
 * @param of what is stored of a value; nothing if it is not to be found this way
 * @param <T> what is copied
 * @param <C> what the copy holds, which may be less
 */
public record Copy<T, C>(EntityType<C> type, Function<T, Optional<C>> of) {
    /** The whole value under other keys. */
    public static <T> Copy<T, T> of(EntityType<T> type) {
        return new Copy<>(type, Optional::of);
    }

    /** A part of the value, enough for those who look it up this way. */
    public static <T, C> Copy<T, C> of(EntityType<C> type, Function<T, C> part) {
        return new Copy<>(type, value -> Optional.of(part.apply(value)));
    }

    /** The same for some values only, as for those that have the property which the keys are made of. */
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
