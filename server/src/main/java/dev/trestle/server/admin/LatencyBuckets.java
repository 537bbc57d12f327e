package dev.trestle.server.admin;

import java.time.Duration;
import java.util.stream.Stream;

/** The bucket boundaries of all latency histograms, which are the same so that histograms can be compared. */
final class LatencyBuckets {
    private static final Duration[] TIMES = {
        Duration.ofNanos(25_000),
        Duration.ofNanos(50_000),
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private LatencyBuckets() {}

    /** Returns the boundaries in a range; each is a time series per histogram. */
    static Duration[] between(Duration least, Duration most) {
        return Stream.of(TIMES)
                .filter(time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0)
                .toArray(Duration[]::new);
    }
}
