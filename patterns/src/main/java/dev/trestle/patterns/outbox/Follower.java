package dev.trestle.patterns.outbox;

import dev.trestle.patterns.entity.EntityKey;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Data derived from the entities of a {@link FollowedTable}, such as copies under other keys or entries in lists. It consists of
 * places, each identified by a string; the value of an entity determines the places it affects.
 */
public interface Follower<T> {
    /** Returns the places that an entity with this value affects. */
    Set<String> places(T value);

    /**
     * Updates one place to match the current state of an entity. Called again after failures and concurrently by several workers,
     * so an implementation has to read the place first, then the entity, and then write on the condition that the place is
     * unchanged.
     *
     * @param current reads the current value of the entity; empty if it was deleted
     */
    void settle(String place, EntityKey key, Supplier<Optional<T>> current);
}
