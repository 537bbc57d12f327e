package dev.trestle.server.admin;

import dev.trestle.engine.CommitObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Metrics of the commit groups of the engine. */
final class CommitMetrics implements CommitObserver {
    private static final double[] SIZE_BUCKETS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
    private static final Duration[] WRITE_BUCKETS =
            LatencyBuckets.between(Duration.ofNanos(25_000), Duration.ofSeconds(5));

    private final DistributionSummary groupSizes;
    private final Counter rows;
    private final Counter bytes;
    private final Timer writes;

    CommitMetrics(MeterRegistry registry) {
        this.groupSizes = DistributionSummary.builder("trestle.commit.group.size")
                .description("Commits per group, which are written with one sync.")
                .serviceLevelObjectives(SIZE_BUCKETS)
                .register(registry);
        this.rows = Counter.builder("trestle.commit.rows")
                .description("Rows written or deleted.")
                .register(registry);
        this.bytes = Counter.builder("trestle.commit.written")
                .description("Keys and rows written to the storage.")
                .baseUnit("bytes")
                .register(registry);
        this.writes = Timer.builder("trestle.commit.write")
                .description("Duration of the write of a group, with its sync unless durability is buffered.")
                .serviceLevelObjectives(WRITE_BUCKETS)
                .register(registry);
    }

    @Override
    public void groupWritten(int commits, int rowsWritten, long bytesWritten, long nanos) {
        groupSizes.record(commits);
        rows.increment(rowsWritten);
        bytes.increment((double) bytesWritten);
        writes.record(nanos, TimeUnit.NANOSECONDS);
    }
}
