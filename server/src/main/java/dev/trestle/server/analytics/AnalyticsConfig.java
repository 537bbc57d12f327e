package dev.trestle.server.analytics;

import java.time.Duration;

/**
 * How often analytics writes, and how much may wait for it.
 *
 * @param logsEvery how long lines wait to be written, unless there are many
 * @param metricsEvery how often it is looked for hours and minutes that are over
 * @param sweepEvery how often it is looked for what has been kept long enough
 * @param countEvery how often some more blobs are counted, until those of a day are
 * @param bufferedBytesMax lines that may wait; what is beyond is dropped
 */
public record AnalyticsConfig(
        Duration logsEvery, Duration metricsEvery, Duration sweepEvery, Duration countEvery, long bufferedBytesMax) {
    public static final AnalyticsConfig DEFAULT = new AnalyticsConfig(
            Duration.ofMinutes(3), Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofSeconds(10), 8 << 20);
}
