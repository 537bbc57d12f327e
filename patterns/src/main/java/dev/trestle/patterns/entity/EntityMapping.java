package dev.trestle.patterns.entity;

import java.util.List;
import java.util.Set;

/**
 * The mapping between values of a type and entities: of one class ({@link EntityType}) or of all classes of a sealed interface
 * ({@link EntityFamily}). {@link #of} reports all problems of a declaration. Immutable and thread-safe.
 */
public sealed interface EntityMapping<T> permits EntityType, EntityFamily {
    /**
     * Returns the mapping of a record, a plain class, or a sealed interface.
     *
     * @throws EntityDefinitionException if the type cannot be mapped
     */
    static <T> EntityMapping<T> of(Class<T> type) {
        return type.isSealed() ? EntityFamily.of(type) : EntityType.of(type);
    }

    /** Returns the key of a value. */
    EntityKey key(T value);

    /** Converts a value to an entity. */
    EntityRow toRow(T value);

    /**
     * Converts an entity to a value.
     *
     * @throws EntityReadException if the entity is of another type or does not match the class
     */
    Stored<T> fromRow(EntityRow row);

    /** Returns where an attribute is stored, given the class or interface that declares its accessor. */
    Place place(Class<?> owner, String attribute);

    /** Returns the names of the encrypted properties. */
    Set<String> encryptedProperties();

    /** Returns the mappings of the single classes. */
    List<EntityType<? extends T>> types();
}
