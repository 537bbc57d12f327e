package dev.trestle.server.admission;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A token bucket for each key: it holds what may be asked in one second, fills at that rate, and starts full. Only so
 * many buckets are kept; the one not used for the longest time makes room, and its key starts with a full one if it
 * comes back, which is what the bucket would be after a second of rest. For any thread.
 */
final class TokenBuckets<K> {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final int rate;
    private final LongSupplier nanoTime;
    private final Map<K, Bucket> buckets;

    private static final class Bucket {
        private double tokens;
        private long filledNanos;
    }

    /** @param rate tokens a second, and as many at once */
    TokenBuckets(int rate, int bucketsMax, LongSupplier nanoTime) {
        this.rate = rate;
        this.nanoTime = nanoTime;
        this.buckets = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Bucket> eldest) {
                return size() > bucketsMax;
            }
        };
    }

    /**
     * Takes the tokens if they are there. More than a bucket can hold may be taken from a full one, which then owes
     * them: otherwise a large transaction could never be made under a small limit.
     */
    synchronized boolean take(K key, int tokens) {
        long now = nanoTime.getAsLong();
        Bucket bucket = buckets.computeIfAbsent(key, unseen -> full(now));
        double filled = bucket.tokens + (now - bucket.filledNanos) * rate / NANOS_PER_SECOND;
        bucket.tokens = Math.min(rate, filled);
        bucket.filledNanos = now;
        if (bucket.tokens < Math.min(tokens, rate)) {
            return false;
        }
        bucket.tokens -= tokens;
        return true;
    }

    private Bucket full(long now) {
        Bucket bucket = new Bucket();
        bucket.tokens = rate;
        bucket.filledNanos = now;
        return bucket;
    }

    synchronized int size() {
        return buckets.size();
    }
}
