package dev.trestle.patterns.index;

import dev.trestle.patterns.entity.EntityKey;

/** Thrown when a key that has to be unique belongs to another entity. Nothing was written. */
public final class KeyTakenException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient EntityKey key;

    KeyTakenException(EntityKey key, Throwable cause) {
        super("An entity already exists at " + key, cause);
        this.key = key;
    }

    /** Returns the key that is taken: of the entity or of one of its copies. */
    public EntityKey key() {
        return key;
    }
}
