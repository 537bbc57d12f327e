package dev.trestle.patterns.layout;

import dev.trestle.patterns.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A client-side join: caches a small, rarely changing table, such as departments, and joins entities of another table with it.
 *
 * <pre>{@code
 * CachedLookup<String, Department> byName =
 *         CachedLookup.of(departments.partition("departments"), Department::name, Duration.ofMinutes(5));
 * }</pre>
 *
 * <p>Promise: lookups return the content of the table at a single time, no longer ago than the maximum age, and send no request
 * until the cache expires. Thread-safe; when it expires, one thread reloads it.
 */
public final class CachedLookup<K, V> {
    private final Query<V> query;
    private final Function<V, K> key;
    private final Duration ageMax;
    private final InstantSource clock;
    private volatile @Nullable Snapshot<K, V> snapshot;

    private record Snapshot<K, V>(Map<K, V> values, Instant readAt) {}

    private CachedLookup(Query<V> query, Function<V, K> key, Duration ageMax, InstantSource clock) {
        this.query = query;
        this.key = key;
        this.ageMax = ageMax;
        this.clock = clock;
    }

    /** Returns a cache of the results of a query, which must fit into memory, by a key that is unique among them. */
    public static <K, V> CachedLookup<K, V> of(Query<V> query, Function<V, K> key, Duration ageMax) {
        return new CachedLookup<>(query, key, ageMax, InstantSource.system());
    }

    /** Returns a lookup that uses another clock. */
    public CachedLookup<K, V> withClock(InstantSource other) {
        return new CachedLookup<>(query, key, ageMax, other);
    }

    public Optional<V> find(K wanted) {
        return Optional.ofNullable(values().get(wanted));
    }

    /** Joins each element with the value it refers to, if there is one. */
    public <T, R> Stream<R> join(
            Stream<T> elements, Function<T, K> reference, java.util.function.BiFunction<T, Optional<V>, R> joined) {
        return elements.map(element -> joined.apply(element, find(reference.apply(element))));
    }

    /** Invalidates the cache, so that the next lookup sees a change immediately. */
    public void forget() {
        snapshot = null;
    }

    private Map<K, V> values() {
        Snapshot<K, V> current = snapshot;
        return current != null && isFresh(current) ? current.values() : reload();
    }

    private synchronized Map<K, V> reload() {
        Snapshot<K, V> current = snapshot;
        if (current == null || !isFresh(current)) {
            // Taken before the read, so that the content is at least as new.
            Instant readAt = clock.instant();
            current = new Snapshot<>(query.stream().collect(Collectors.toUnmodifiableMap(key, value -> value)), readAt);
            snapshot = current;
        }
        return current.values();
    }

    private boolean isFresh(Snapshot<K, V> current) {
        return clock.instant().isBefore(current.readAt().plus(ageMax));
    }
}
