package dev.trestle.server.admission;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Token buckets by key. A bucket holds the tokens of one second, refills at that rate and starts full. Beyond the
 * maximum number of buckets, the least recently used one is evicted. Its key then starts with a full bucket, as
 * after a second without requests. Thread-safe.
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

    /** @param rate tokens per second, and the capacity of a bucket */
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
     * Takes tokens if available. A full bucket also grants more tokens than it holds and goes into debt. Otherwise a
     * large transaction could never run under a small limit.
     */
    synchronized boolean take(K key, int tokens) {
        long now = nanoTime.getAsLong();
        Bucket bucket = buckets.computeIfAbsent(key, absent -> full(now));
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
