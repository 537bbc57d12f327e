package dev.trestle.engine.hbase;

import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits and merges regions where HBase itself would not. It splits a large region whose middle is in a long
 * partition at its start, and a region with more requests than one server should serve. It merges adjacent regions
 * that have been small and idle for a long time. Every front end has one; HBase executes concurrent requests of
 * two of them once.
 */
final class RegionMaintainer {
    private static final Logger LOG = LoggerFactory.getLogger(RegionMaintainer.class);

    /**
     * Thresholds of splits and merges.
     *
     * @param largeBytes larger ranges are split
     * @param busyRequests requests per second above which a range is split, in two consecutive checks, if there
     *     are several servers
     * @param quietRequests requests per second below which adjacent ranges are merged, in {@code quietChecks}
     *     consecutive checks, if their total size is less than a quarter of {@code largeBytes}
     */
    record Thresholds(long largeBytes, double busyRequests, double quietRequests, int quietChecks) {}

    /** A change of a range, or of a range and the next one. */
    record Step(Kind kind, Range range, Optional<Range> next) {
        enum Kind {
            SPLIT_LARGE("large"),
            SPLIT_BUSY("busy"),
            MERGE("small and idle");

            private final String reason;

            Kind(String reason) {
                this.reason = reason;
            }
        }
    }

    /** The request count of a range at a check. */
    private static final class Seen {
        private final long requests;
        private final long nanos;
        private int busyChecks;
        private int quietChecks;

        Seen(long requests, long nanos) {
            this.requests = requests;
            this.nanos = nanos;
        }
    }

    private final Thresholds thresholds;
    private Map<String, Seen> seen = new HashMap<>();

    RegionMaintainer(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    /** Checks all ranges, and executes at most one step. */
    void check(PartitionRanges ranges) {
        try {
            List<Range> all = ranges.list().toCompletableFuture().join();
            int servers = ranges.servers().toCompletableFuture().join().size();
            choose(all, servers, System.nanoTime()).ifPresent(step -> run(step, ranges));
        } catch (RuntimeException e) {
            LOG.debug("Checking the regions failed", e);
        }
    }

    /** Returns the most urgent step. A busy range is split only if another server can serve a part. */
    Optional<Step> choose(List<Range> ranges, int servers, long nanos) {
        Map<String, Seen> now = new HashMap<>();
        for (Range range : ranges) {
            now.put(range.id(), compare(range, nanos));
        }
        seen = now;
        for (Range range : ranges) {
            if (range.bytes() > thresholds.largeBytes) {
                return Optional.of(new Step(Step.Kind.SPLIT_LARGE, range, Optional.empty()));
            }
        }
        for (Range range : ranges) {
            if (servers > 1 && now.getOrDefault(range.id(), new Seen(0, 0)).busyChecks >= 2) {
                return Optional.of(new Step(Step.Kind.SPLIT_BUSY, range, Optional.empty()));
            }
        }
        for (int i = 0; i + 1 < ranges.size(); i++) {
            Range one = ranges.get(i);
            Range next = ranges.get(i + 1);
            if (isQuiet(one) && isQuiet(next) && one.bytes() + next.bytes() < thresholds.largeBytes / 4) {
                return Optional.of(new Step(Step.Kind.MERGE, one, Optional.of(next)));
            }
        }
        return Optional.empty();
    }

    private Seen compare(Range range, long nanos) {
        Seen current = new Seen(range.reads() + range.writes(), nanos);
        Seen before = seen.get(range.id());
        if (before != null && current.requests >= before.requests) {
            double rate = (current.requests - before.requests) * 1e9 / Math.max(1, nanos - before.nanos);
            current.busyChecks = rate > thresholds.busyRequests ? before.busyChecks + 1 : 0;
            current.quietChecks = rate < thresholds.quietRequests ? before.quietChecks + 1 : 0;
        }
        return current;
    }

    private boolean isQuiet(Range range) {
        Seen known = seen.get(range.id());
        return known != null && known.quietChecks >= thresholds.quietChecks;
    }

    private void run(Step step, PartitionRanges ranges) {
        Range range = step.range;
        String action = step.kind == Step.Kind.MERGE ? "merge" : "split";
        try {
            switch (step.kind) {
                case SPLIT_LARGE, SPLIT_BUSY ->
                    ranges.split(range.id(), Optional.empty())
                            .toCompletableFuture()
                            .join();
                case MERGE ->
                    ranges.merge(range.id(), step.next.orElseThrow().id())
                            .toCompletableFuture()
                            .join();
            }
            LOG.info("Region {} finished: region={} reason={}", action, range.id(), step.kind.reason);
        } catch (RuntimeException e) {
            // The region has only one partition, is in transition, or another front end was faster. Checked again
            // later.
            LOG.debug("Region {} failed: region={} reason={}", action, range.id(), step.kind.reason, e);
        }
        seen.remove(range.id());
    }
}
