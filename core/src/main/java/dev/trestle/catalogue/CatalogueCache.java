package dev.trestle.catalogue;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A cache of catalogue rows by name, read once per request. A change made in this process evicts the entry. The
 * TTL bounds the age of entries that other processes may have changed. Thread-safe.
 *
 * <p>A row that was read before a change is not cached after the change, so an entry is never older than the last
 * change made here that has completed.
 */
final class CatalogueCache<T> {
    private final long ttlNanos;
    private final LongSupplier nanoTime;
    private final Cache<String, Entry<T>> entries;
    private final AtomicLong changes = new AtomicLong();

    private record Entry<T>(T value, long readNanos) {}

    /** The state of the cache before a row is read. */
    record Snapshot(long changes, long nanos) {}

    /**
     * Creates an empty cache.
     *
     * @param entriesMax the number of entries; the policy of Caffeine chooses which ones to evict
     * @param ttl the maximum age of an entry, counted from before its row was read
     * @param nanoTime elapsed time, like {@link System#nanoTime}
     */
    CatalogueCache(int entriesMax, Duration ttl, LongSupplier nanoTime) {
        this.ttlNanos = ttl.toNanos();
        this.nanoTime = nanoTime;
        // Without Caffeine's own expiry, which would count from the insertion. Up to half its size, Caffeine does
        // not track recency, so a lookup costs little more than one in a ConcurrentHashMap.
        this.entries = Caffeine.newBuilder()
                .maximumSize(entriesMax)
                .executor(Runnable::run)
                .build();
    }

    Optional<T> find(String name) {
        Entry<T> found = entries.getIfPresent(name);
        return found != null && nanoTime.getAsLong() - found.readNanos < ttlNanos
                ? Optional.of(found.value)
                : Optional.empty();
    }

    /** Returns the state to pass to {@link #put}. Must be called before the row is read. */
    Snapshot snapshot() {
        return new Snapshot(changes.get(), nanoTime.getAsLong());
    }

    /** Caches a row, unless anything has changed since the snapshot: then the row may be out of date. */
    void put(String name, T value, Snapshot before) {
        // Checks and inserts in one step for the key. A concurrent change either is seen here, or evicts the
        // entry.
        entries.asMap()
                .compute(
                        name,
                        (key, cached) -> changes.get() == before.changes ? new Entry<>(value, before.nanos) : cached);
    }

    /**
     * Evicts the entry, and keeps out rows that were read before. To be called after a commit, also a failed one.
     */
    void changed(String name) {
        changes.incrementAndGet();
        entries.invalidate(name);
    }

    void evict(String name) {
        entries.invalidate(name);
    }

    long size() {
        entries.cleanUp();
        return entries.estimatedSize();
    }
}
