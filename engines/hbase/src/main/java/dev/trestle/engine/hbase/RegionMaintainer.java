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
 * Looks at the ranges from time to time and splits and merges where HBase by itself would not: a range too large whose
 * middle lies in a long partition at its beginning, a range that more is asked of than one server should do, and neighbours
 * that have long been small and quiet. Every front end has one; what two of them ask for at once, HBase does once.
 */
final class RegionMaintainer {
    private static final Logger LOG = LoggerFactory.getLogger(RegionMaintainer.class);

    /**
     * When something is done.
     *
     * @param largeBytes a range of more is split
     * @param busyRequests a range that is asked more a second, at two looks running, is split where there is another server
     * @param quietRequests neighbours that are asked less a second, both at {@code quietLooks} looks running, are merged if
     *     they are a quarter of large together
     */
    record Thresholds(long largeBytes, double busyRequests, double quietRequests, int quietLooks) {}

    /** What is to be done to one range, or to it and the next. */
    record Step(Kind kind, Range range, Optional<Range> next) {
        enum Kind {
            SPLIT_LARGE,
            SPLIT_BUSY,
            MERGE
        }
    }

    private static final class Seen {
        private final long requests;
        private final long nanos;
        private int busyLooks;
        private int quietLooks;

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

    /** Looks once, and does one step at most: the next look tells what came of it. */
    void look(PartitionRanges ranges) {
        try {
            List<Range> all = ranges.list().toCompletableFuture().join();
            int servers = ranges.servers().toCompletableFuture().join().size();
            choose(all, servers, System.nanoTime()).ifPresent(step -> take(step, ranges));
        } catch (RuntimeException e) {
            LOG.debug("The ranges could not be looked after", e);
        }
    }

    /** The step that is most wanted. A busy range is split for another server's sake, so there has to be one. */
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
            if (servers > 1 && now.getOrDefault(range.id(), new Seen(0, 0)).busyLooks >= 2) {
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
            current.busyLooks = rate > thresholds.busyRequests ? before.busyLooks + 1 : 0;
            current.quietLooks = rate < thresholds.quietRequests ? before.quietLooks + 1 : 0;
        }
        return current;
    }

    private boolean isQuiet(Range range) {
        Seen known = seen.get(range.id());
        return known != null && known.quietLooks >= thresholds.quietLooks;
    }

    private void take(Step step, PartitionRanges ranges) {
        Range range = step.range;
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
            LOG.info("{} of range {} is done", step.kind, range.id());
        } catch (RuntimeException e) {
            // One partition alone, another front end that was quicker, a region on its way: the next look tells.
            LOG.debug("{} of range {} was not possible", step.kind, range.id(), e);
        }
        seen.remove(range.id());
    }
}
