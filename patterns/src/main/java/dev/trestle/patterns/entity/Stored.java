package dev.trestle.patterns.entity;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A value with its key, ETag, timestamp, and the properties that its class does not declare. Replacing
 * {@code stored.with(changed)} uses optimistic concurrency: it fails if another writer changed the entity, and it preserves the
 * undeclared properties.
 *
 * @param timestamp the time of the last write; empty after a write, whose response does not contain it
 * @param unknownProperties the stored properties that the class does not declare
 */
public record Stored<T>(
        T value, EntityKey key, String etag, Optional<Instant> timestamp, Map<String, Object> unknownProperties) {
    public Stored {
        unknownProperties = Map.copyOf(unknownProperties);
    }

    /** Returns a changed value with the same key, ETag and undeclared properties, to be written back. */
    public Stored<T> with(T changed) {
        return new Stored<>(changed, key, etag, timestamp, unknownProperties);
    }

    /** Returns this entity after a write, with the new ETag. */
    public Stored<T> writtenAs(String newETag) {
        return new Stored<>(value, key, newETag, Optional.empty(), unknownProperties);
    }
}
