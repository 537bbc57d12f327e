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
 * The guide's join in the client: a small table that seldom changes, as that of the departments, is read once and kept, and
 * entities of another table are joined with it here.
 *
 * <pre>{@code
 * CachedLookup<String, Department> byName =
 *         CachedLookup.of(departments.partition("departments"), Department::name, Duration.ofMinutes(5));
 * }</pre>
 *
 * <p>Promise: what is found is what the table held at one time not longer ago than the age given; a join asks the service for
 * nothing while the copy is young enough. Safe for many threads; of several that find it too old, one reads it again.
 */
public final class CachedLookup<K, V> {
    private final Query<V> query;
    private final Function<V, K> key;
    private final Duration ageMax;
    private final InstantSource clock;
    private volatile @Nullable Kept<K, V> kept;

    private record Kept<K, V>(Map<K, V> values, Instant since) {}

    private CachedLookup(Query<V> query, Function<V, K> key, Duration ageMax, InstantSource clock) {
        this.query = query;
        this.key = key;
        this.ageMax = ageMax;
        this.clock = clock;
    }

    /** What a query gives, which has to be little, by a key that is unique among it. */
    public static <K, V> CachedLookup<K, V> of(Query<V> query, Function<V, K> key, Duration ageMax) {
        return new CachedLookup<>(query, key, ageMax, InstantSource.system());
    }

    /** The same by another clock. */
    public CachedLookup<K, V> withClock(InstantSource other) {
        return new CachedLookup<>(query, key, ageMax, other);
    }

    public Optional<V> find(K wanted) {
        return Optional.ofNullable(values().get(wanted));
    }

    /** Each element with what it refers to, where that is there. */
    public <T, R> Stream<R> join(
            Stream<T> elements, Function<T, K> reference, java.util.function.BiFunction<T, Optional<V>, R> joined) {
        return elements.map(element -> joined.apply(element, find(reference.apply(element))));
    }

    /** Forgets what is kept, after a change that is to be seen at once. */
    public void forget() {
        kept = null;
    }

    private Map<K, V> values() {
        Kept<K, V> current = kept;
        return current != null && isYoung(current) ? current.values() : reload();
    }

    private synchronized Map<K, V> reload() {
        Kept<K, V> current = kept;
        if (current == null || !isYoung(current)) {
            // The time before the reading: what is kept is at least as new.
            Instant since = clock.instant();
            current = new Kept<>(query.stream().collect(Collectors.toUnmodifiableMap(key, value -> value)), since);
            kept = current;
        }
        return current.values();
    }

    private boolean isYoung(Kept<K, V> current) {
        return clock.instant().isBefore(current.since().plus(ageMax));
    }
}
