package dev.trestle.engine.hbase;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The commits that wait for one region, given out in groups that become a request each. A partition is in one request at a
 * time, so that its commits keep their order and never meet. While a request is under way, those that come wait and go
 * together with the next, for a few large requests cost less than many small ones; only when as much waits as makes a large
 * one does it go beside the others. Guarded by its owner.
 */
final class CommitQueue {
    private static final int REQUESTS_MAX = 3;
    private static final int GROUP_ROWS_MAX = 400;
    private static final int GROUP_BYTES_MAX = 4 << 20;

    /** So much makes a request large. */
    private static final int LARGE_ROWS = 300;

    private final Map<Partition, Line> lines = new HashMap<>();

    /** Those whose commits may go. */
    private final Deque<Line> ready = new ArrayDeque<>();

    private int readyRows;
    private int requests;

    /** A commit that has no answer yet. */
    record Pending(Commit commit, long bytes, long deadlineNanos, CompletableFuture<CommitResult> answer) {
        Pending(Commit commit, long deadlineNanos) {
            this(commit, commit.bytes(), deadlineNanos, new CompletableFuture<>());
        }

        int rows() {
            return commit.writes().size();
        }
    }

    /** What goes in one request. */
    record Group(List<Pending> commits, List<Line> lines) {}

    private record Partition(long collection, String key) {}

    /** The commits of a partition; there while any of them waits or is under way. */
    private static final class Line {
        private final Partition partition;
        private final Deque<Pending> waiting = new ArrayDeque<>();
        private int rows;
        private boolean underWay;

        Line(Partition partition) {
            this.partition = partition;
        }

        /** Moves the first commit to the group. */
        void take(Group group) {
            if (!underWay) {
                underWay = true;
                group.lines.add(this);
            }
            Pending first = waiting.remove();
            rows -= first.rows();
            group.commits.add(first);
        }
    }

    void add(Pending pending) {
        Commit commit = pending.commit();
        Line line = lines.computeIfAbsent(new Partition(commit.collection(), commit.partitionKey()), Line::new);
        line.waiting.add(pending);
        line.rows += pending.rows();
        if (!line.underWay) {
            readyRows += pending.rows();
            if (line.waiting.size() == 1) {
                ready.add(line);
            }
        }
    }

    /** What is to be sent now, if anything. Whoever sends it says when it is {@link #over}. */
    Optional<Group> next() {
        if (requests == 0 ? ready.isEmpty() : requests == REQUESTS_MAX || readyRows < LARGE_ROWS) {
            return Optional.empty();
        }
        Group group = new Group(new ArrayList<>(), new ArrayList<>());
        int rows = 0;
        long bytes = 0;
        while (!ready.isEmpty()) {
            Line line = ready.element();
            Pending first = line.waiting.element();
            rows += first.rows();
            bytes += first.bytes();
            if (!group.commits.isEmpty() && (rows > GROUP_ROWS_MAX || bytes > GROUP_BYTES_MAX)) {
                break;
            }
            line.take(group);
            readyRows -= first.rows();
            if (line.waiting.isEmpty()) {
                ready.remove();
            }
        }
        if (!ready.isEmpty() && ready.element().underWay) {
            readyRows -= ready.remove().rows;
        }
        requests++;
        return Optional.of(group);
    }

    /** Every commit of the group has its answer. */
    void over(Group group) {
        requests--;
        for (Line line : group.lines) {
            line.underWay = false;
            if (line.waiting.isEmpty()) {
                lines.remove(line.partition);
            } else {
                ready.add(line);
                readyRows += line.rows;
            }
        }
    }

    /** Whether nothing waits and nothing is under way. */
    boolean isIdle() {
        return lines.isEmpty();
    }
}
