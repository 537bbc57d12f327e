package dev.trestle.patterns.entity;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A value as it is stored: where, in which state (the ETag), since when, and with which properties that its class does not
 * know. Writing {@code stored.with(changed)} back fails if another writer came between, and keeps those properties.
 *
 * @param timestamp when the entity was last written; empty after a write, which is not told it
 */
public record Stored<T>(
        T value, EntityKey key, String etag, Optional<Instant> timestamp, Map<String, Object> unknownProperties) {
    public Stored {
        unknownProperties = Map.copyOf(unknownProperties);
    }

    /** Another value for the same entity, to be written only if it is still in this state. */
    public Stored<T> with(T changed) {
        return new Stored<>(changed, key, etag, timestamp, unknownProperties);
    }

    /** The same entity after it was written, in the state that the service answered with. */
    public Stored<T> writtenAs(String newETag) {
        return new Stored<>(value, key, newETag, Optional.empty(), unknownProperties);
    }
}
