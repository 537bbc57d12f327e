package dev.trestle.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The send times of requests; shared by all connections of a round.
 *
 * <p>In a closed loop each connection sends its next request after the response to the last one. A slow server then gets
 * fewer requests, so its latency looks better than users would see it (coordinated omission). In an open loop the send
 * times are fixed in advance. The next free connection takes the next time, late if necessary, and latency counts from the
 * intended time.
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
            throw new IllegalArgumentException("a rate is greater than zero");
        }
        return new Pace(duration, NANOS_PER_SECOND / requestsPerSecond);
    }

    boolean isOpen() {
        return intervalNanos > 0;
    }

    Duration duration() {
        return Duration.ofNanos(durationNanos);
    }

    /** Returns the intended time of the next request, in nanoseconds since the start of the round, or {@link #OVER}. */
    long next(long elapsedNanos) {
        long intended = isOpen() ? (long) (sent.getAndIncrement() * intervalNanos) : elapsedNanos;
        return intended < durationNanos ? intended : OVER;
    }
}
