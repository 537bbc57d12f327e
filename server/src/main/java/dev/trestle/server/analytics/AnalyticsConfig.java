package dev.trestle.server.analytics;

import java.time.Duration;

/**
 * The intervals of Storage Analytics and the size of its buffer.
 *
 * @param logsEvery the interval of log writes; a half-full buffer is written earlier
 * @param metricsEvery the interval at which metrics of ended periods are written
 * @param sweepEvery the interval at which expired logs and metrics are deleted
 * @param countEvery the interval at which some more blobs are counted, until those of the day are
 * @param bufferedBytesMax the size of the buffer of log lines; further lines are dropped
 */
public record AnalyticsConfig(
        Duration logsEvery, Duration metricsEvery, Duration sweepEvery, Duration countEvery, long bufferedBytesMax) {
    public static final AnalyticsConfig DEFAULT = new AnalyticsConfig(
            Duration.ofMinutes(3), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofSeconds(10), 8 << 20);
}
