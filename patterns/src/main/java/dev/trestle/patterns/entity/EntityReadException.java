package dev.trestle.patterns.entity;

/** A stored entity that is not what its class says: another type, a newer version, a property missing or of another type. */
public final class EntityReadException extends RuntimeException {
    EntityReadException(EntityKey key, String reason) {
        super("Entity " + key + " cannot be read: " + reason);
    }
}
