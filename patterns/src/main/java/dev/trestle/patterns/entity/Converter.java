package dev.trestle.patterns.entity;

/**
 * Converts between a type of the application and a type that the service stores: {@code String}, {@code Boolean},
 * {@code Integer}, {@code Long}, {@code Double}, {@code OffsetDateTime}, {@code UUID} or {@code byte[]}. Never called with null.
 * Implementations have to be thread-safe.
 *
 * @param <V> the type of the component or field
 * @param <S> the type that is stored
 */
public interface Converter<V, S> {
    /** Encodes a value. */
    S toStored(V value);

    /** Decodes a stored value. */
    V fromStored(S stored);
}
