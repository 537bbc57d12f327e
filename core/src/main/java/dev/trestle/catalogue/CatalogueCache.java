package dev.trestle.catalogue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What was read, by name, so that it need not be read again: until it is changed here, and for a while where other
 * processes change it too. For any thread.
 */
final class CatalogueCache<T> {
    private final int max;
    private final long trustedNanos;
    private final ConcurrentHashMap<String, Known<T>> known = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();

    private record Known<T>(T value, long readNanos) {}

    /** A moment before something is read. */
    record Before(long changes, long nanos) {}

    /** @param max how many to keep; with one more all are forgotten */
    CatalogueCache(int max, Duration trusted) {
        this.max = max;
        this.trustedNanos = trusted.toNanos();
    }

    Optional<T> find(String name) {
        Known<T> found = known.get(name);
        return found != null && System.nanoTime() - found.readNanos < trustedNanos
                ? Optional.of(found.value)
                : Optional.empty();
    }

    Before before() {
        return new Before(changes.get(), System.nanoTime());
    }

    /** Keeps what was read unless something changed since, for then it may be out of date. */
    void keep(String name, T value, Before before) {
        if (known.size() >= max) {
            known.clear();
        }
        // The check and the entry are one step to whoever drops entries, so that a stale one is never there to be found
        // once its change was answered.
        known.compute(
                name, (key, cached) -> changes.get() == before.changes ? new Known<>(value, before.nanos) : cached);
    }

    /** It was changed, or may have been. */
    void changed(String name) {
        changes.incrementAndGet();
        known.remove(name);
    }

    void forget(String name) {
        known.remove(name);
    }
}
