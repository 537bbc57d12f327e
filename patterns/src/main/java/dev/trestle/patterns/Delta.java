package dev.trestle.patterns;

import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.Place;
import dev.trestle.patterns.query.Accessor;
import dev.trestle.patterns.query.Filters;
import dev.trestle.patterns.query.Getter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The property changes of a merge. Other properties keep their values; a merge cannot remove a property. Immutable.
 *
 * <pre>{@code
 * employees.merge(replaced.key(), Delta.of(Employee.class).set(Employee::age, 36));
 * }</pre>
 */
public final class Delta<T> {
    private final Map<String, Change> changes;

    private record Change(Function<EntityMapping<?>, Place> location, Object value) {}

    private Delta(Map<String, Change> changes) {
        this.changes = changes;
    }

    /** Returns an empty delta for entities of this class or interface. */
    public static <T> Delta<T> of(Class<T> type) {
        Objects.requireNonNull(type);
        return new Delta<>(Map.of());
    }

    /** Returns this delta with an attribute set to a value. */
    public <V> Delta<T> set(Getter<? super T, V> attribute, V value) {
        String name = Accessor.of(attribute).attribute();
        return with(name, new Change(mapping -> Accessor.place(attribute, mapping), value));
    }

    /** Returns this delta with a property, by its name on the service, set to a value of one of the service's types. */
    public Delta<T> setProperty(String name, Object value) {
        Objects.requireNonNull(Filters.property(name));
        return with(name, new Change(mapping -> new Place.InProperty(name, stored -> stored, "", false), value));
    }

    private Delta<T> with(String name, Change change) {
        Map<String, Change> more = new LinkedHashMap<>(changes);
        more.put(name, change);
        return new Delta<>(more);
    }

    /** Returns the properties to send. */
    Map<String, Object> properties(EntityMapping<?> mapping) {
        if (changes.isEmpty()) {
            throw new IllegalArgumentException(
                    "The delta is empty: a merge without changes would only change the ETag");
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        changes.forEach((name, change) -> {
            Place place = change.location().apply(mapping);
            if (!(place instanceof Place.InProperty property) || property.keyPart()) {
                throw new IllegalArgumentException(
                        name + " is part of a key, and a key cannot change: insert a new entity and delete this one");
            }
            properties.put(place.name(), place.stored(change.value()));
        });
        return properties;
    }
}
