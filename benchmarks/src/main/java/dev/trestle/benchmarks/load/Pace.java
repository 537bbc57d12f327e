package dev.trestle.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When requests are sent; shared by all connections of a round.
 *
 * <p>In a closed loop each connection sends when its last answer is there: a slow server is asked less, and the requests
 * that would have waited are never made, so latency looks better than users would find it. In an open loop the times are
 * fixed beforehand, whatever the server does; the next free connection takes the next time, late if need be, and latency
 * counts from the time meant.
 */
final class Pace {
    static final long OVER = -1;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long durationNanos;

    /** Zero in a closed loop. */
    private final double intervalNanos;

    private final AtomicLong sent = new AtomicLong();

    private Pace(Duration duration, double intervalNanos) {
        this.durationNanos = duration.toNanos();
        this.intervalNanos = intervalNanos;
    }

    static Pace closed(Duration duration) {
        return new Pace(duration, 0);
    }

    static Pace open(Duration duration, double requestsPerSecond) {
        if (!(requestsPerSecond > 0)) {
            throw new IllegalArgumentException("a rate is more than zero");
        }
        return new Pace(duration, NANOS_PER_SECOND / requestsPerSecond);
    }

    boolean isOpen() {
        return intervalNanos > 0;
    }

    Duration duration() {
        return Duration.ofNanos(durationNanos);
    }

    /** When the caller is to send its next request, in nanoseconds since the round began, or {@link #OVER}. */
    long next(long elapsedNanos) {
        long intended = isOpen() ? (long) (sent.getAndIncrement() * intervalNanos) : elapsedNanos;
        return intended < durationNanos ? intended : OVER;
    }
}
