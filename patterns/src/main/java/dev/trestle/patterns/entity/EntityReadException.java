package dev.trestle.patterns.entity;

/** Thrown when an entity does not match its class: another type, a newer version, or a missing or wrongly typed property. */
public final class EntityReadException extends RuntimeException {
    EntityReadException(EntityKey key, String reason) {
        super("Entity " + key + " cannot be read: " + reason);
    }
}
