package dev.trestle.engine.content;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The contents that this process has created and neither kept nor deleted yet, and dropped collections. A dropped
 * collection is evicted when it is released and has no content in flight. Thread-safe.
 */
final class ContentsInFlight {
    private final Set<ContentPath> begun = new HashSet<>();
    private final Map<Long, Integer> counts = new HashMap<>();

    /** Dropped collections, and whether they were released. */
    private final Map<Long, Boolean> dropped = new HashMap<>();

    synchronized void begin(ContentPath name) {
        if (begun.add(name)) {
            counts.merge(name.collection(), 1, Integer::sum);
        }
    }

    synchronized void end(ContentPath name) {
        if (begun.remove(name)) {
            long collection = name.collection();
            if (counts.merge(collection, -1, Integer::sum) == 0) {
                counts.remove(collection);
                evictUnused(collection);
            }
        }
    }

    synchronized boolean contains(ContentPath name) {
        return begun.contains(name);
    }

    synchronized void drop(long collection) {
        dropped.put(collection, false);
    }

    synchronized void release(long collection) {
        dropped.computeIfPresent(collection, (id, released) -> true);
        evictUnused(collection);
    }

    private void evictUnused(long collection) {
        if (dropped.getOrDefault(collection, false) && !counts.containsKey(collection)) {
            dropped.remove(collection);
        }
    }

    synchronized boolean isDropped(long collection) {
        return dropped.containsKey(collection);
    }

    /** Returns the number of contents and dropped collections held. */
    synchronized int size() {
        return begun.size() + dropped.size();
    }
}
