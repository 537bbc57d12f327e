package dev.trestle.patterns.entity;

import java.util.List;
import java.util.Set;

/**
 * How values of a type are stored and read. Either one class ({@link EntityType}) or all classes of a sealed interface
 * ({@link EntityFamily}). Everything that can be wrong with a declaration is found by {@link #of}.
 */
public sealed interface EntityMapping<T> permits EntityType, EntityFamily {
    /** The mapping of a record, a plain class, or a sealed interface. */
    static <T> EntityMapping<T> of(Class<T> type) {
        return type.isSealed() ? EntityFamily.of(type) : EntityType.of(type);
    }

    /** The keys of a value. */
    EntityKey key(T value);

    /** The entity that holds a value. */
    EntityRow toRow(T value);

    /**
     * The value that an entity holds.
     *
     * @throws EntityReadException if it holds something else
     */
    Stored<T> fromRow(EntityRow row);

    /** Where an attribute is stored, given the class or interface through which it was named. */
    Place place(Class<?> owner, String attribute);

    /** The properties that are encrypted. */
    Set<String> encryptedProperties();

    /** The classes that this maps. */
    List<EntityType<? extends T>> types();
}
