package dev.trestle.patterns.outbox;

import dev.trestle.patterns.entity.EntityKey;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Something kept elsewhere that follows from the entities of a table: a copy under other keys, an entry in a list. It consists
 * of places, each named by a text, and an entity has to do with some of them.
 */
public interface Follower<T> {
    /** The places that an entity with this value has to do with. */
    Set<String> places(T value);

    /**
     * Brings one place in step with what an entity is now. Called again after any failure and by several workers at once, so it
     * has to read the place first, the entity then, and to write only if the place is still as it was read.
     *
     * @param current reads what the entity is now; empty if it is gone
     */
    void settle(String place, EntityKey key, Supplier<Optional<T>> current);
}
