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
 * The queue of commits to one region, from which groups are taken, each for one request. A partition is in one
 * request at a time, so that its commits keep their order and do not conflict. Commits that arrive while a request
 * is in flight wait and are coalesced, because few large requests cost less than many small ones. Only if they
 * would make a large request, it is sent concurrently. Guarded by the lock of its owner.
 */
final class CommitQueue {
    private static final int REQUESTS_MAX = 3;
    private static final int GROUP_ROWS_MAX = 400;
    private static final int GROUP_BYTES_MAX = 4 << 20;

    /** Rows of a large request. */
    private static final int LARGE_ROWS = 300;

    private final Map<Partition, Line> lines = new HashMap<>();

    /** Lines with queued commits and without a request in flight. */
    private final Deque<Line> ready = new ArrayDeque<>();

    private int readyRows;
    private int requests;

    /** A commit that has not completed. */
    record Pending(Commit commit, long bytes, long deadlineNanos, CompletableFuture<CommitResult> result) {
        Pending(Commit commit, long deadlineNanos) {
            this(commit, commit.bytes(), deadlineNanos, new CompletableFuture<>());
        }

        int rows() {
            return commit.writes().size();
        }
    }

    /** The commits of one request. */
    record Group(List<Pending> commits, List<Line> lines) {}

    private record Partition(long collection, String key) {}

    /** The commits of a partition; exists while any of them is queued or in flight. */
    private static final class Line {
        private final Partition partition;
        private final Deque<Pending> waiting = new ArrayDeque<>();
        private int rows;
        private boolean inFlight;

        Line(Partition partition) {
            this.partition = partition;
        }

        /** Moves the first commit to the group. */
        void take(Group group) {
            if (!inFlight) {
                inFlight = true;
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
        if (!line.inFlight) {
            readyRows += pending.rows();
            if (line.waiting.size() == 1) {
                ready.add(line);
            }
        }
    }

    /**
     * Returns the next group to send, if any. The caller calls {@link #completed} when the request has completed.
     */
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
        if (!ready.isEmpty() && ready.element().inFlight) {
            readyRows -= ready.remove().rows;
        }
        requests++;
        return Optional.of(group);
    }

    /** Called when every commit of the group has completed. */
    void completed(Group group) {
        requests--;
        for (Line line : group.lines) {
            line.inFlight = false;
            if (line.waiting.isEmpty()) {
                lines.remove(line.partition);
            } else {
                ready.add(line);
                readyRows += line.rows;
            }
        }
    }

    /** Returns whether no commit is queued or in flight. */
    boolean isIdle() {
        return lines.isEmpty();
    }
}
