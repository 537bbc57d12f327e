package dev.trestle.patterns.index;

import dev.trestle.patterns.entity.EntityKey;

/** Another entity is already found under a key that has to be its only one. Nothing was written. */
public final class KeyTakenException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient EntityKey key;

    KeyTakenException(EntityKey key, Throwable cause) {
        super("There is already an entity at " + key, cause);
        this.key = key;
    }

    public EntityKey key() {
        return key;
    }
}
