package dev.trestle.engine.hbase;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commits, one request at a time to each region; those that come meanwhile wait and go together with the next. So
 * commits of one partition never race with each other here, they share a sync, and only other front ends can come between
 * the reading of rows and the request that relies on them. Then the rows are read again, and all is judged anew.
 *
 * <p>Whether a request whose answer was lost took effect, or one that was repeated on the way is refused because of its own
 * first arrival, is told by the rows: they carry the number of the request that wrote them.
 */
final class Committer {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

    private static final int GROUP_ROWS_MAX = 1000;
    private static final int GROUP_BYTES_MAX = 4 << 20;

    /** Attempts of a group as a whole; after them, each of its commits goes alone. */
    private static final int JOINT_ATTEMPTS_MAX = 3;

    private static final long PAUSE_MILLIS_MIN = 20;
    private static final long PAUSE_MILLIS_MAX = 1000;

    private final Cluster cluster;
    private final Versions versions;
    private final LongPredicate isDropped;
    private final Durability durability;
    private final Duration answerTime;
    private final int queuedMax;
    private final Supplier<CommitObserver> observer;
    private final Map<Key, Deque<Pending>> waiting = new HashMap<>();

    /** By the region they went to; each completes when all its commits have their answers. */
    private final Map<Key, CompletableFuture<Void>> underWay = new HashMap<>();

    private int queued;
    private boolean closed;

    private record Pending(Commit commit, int bytes, long deadlineNanos, CompletableFuture<CommitResult> answer) {}

    /** A request that may have taken effect, with what it would mean. */
    private record Sent(long number, CommitGroup group) {}

    Committer(
            Cluster cluster,
            Versions versions,
            LongPredicate isDropped,
            HBaseEngineConfig config,
            Supplier<CommitObserver> observer) {
        this.cluster = cluster;
        this.versions = versions;
        this.isDropped = isDropped;
        this.durability =
                config.durability() == HBaseEngineConfig.Durability.SYNCED ? Durability.FSYNC_WAL : Durability.SYNC_WAL;
        this.answerTime = config.answerTime();
        this.queuedMax = config.limits().commitsQueuedMax();
        this.observer = observer;
    }

    CompletionStage<CommitResult> submit(Commit commit) {
        Pending pending =
                new Pending(commit, bytes(commit), System.nanoTime() + answerTime.toNanos(), new CompletableFuture<>());
        locate(pending, 0);
        return pending.answer;
    }

    /** Finds the region to wait for; while it is being split there may be none for a moment. */
    private void locate(Pending pending, int attempt) {
        cluster.regionOf(pending.commit.writes().get(0).key()).whenComplete((region, failure) -> {
            if (failure == null) {
                enqueue(region, pending);
            } else if (pending.deadlineNanos - System.nanoTime() > 0 && Failures.isTemporary(failure)) {
                CompletableFuture.delayedExecutor(pauseMillis(attempt), TimeUnit.MILLISECONDS)
                        .execute(() -> locate(pending, attempt + 1));
            } else {
                pending.answer.completeExceptionally(Failures.of(failure));
            }
        });
    }

    private static long pauseMillis(int attempt) {
        long most = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS_MIN << Math.min(attempt, 10));
        return ThreadLocalRandom.current().nextLong(most / 2, most + 1);
    }

    private static int bytes(Commit commit) {
        int bytes = 0;
        for (Write write : commit.writes()) {
            bytes += write.key().bytes().length;
            if (write instanceof Write.Put put) {
                bytes += put.row().length;
            } else if (write instanceof Write.Merge merge) {
                bytes += merge.columns().length;
            }
        }
        return bytes;
    }

    private void enqueue(Key region, Pending pending) {
        Attempt first;
        synchronized (this) {
            if (closed) {
                pending.answer.completeExceptionally(Failures.closed());
                return;
            }
            Deque<Pending> queue = waiting.get(region);
            if (queue != null) {
                if (queued >= queuedMax) {
                    pending.answer.completeExceptionally(Failures.overloaded("Too many commits wait for the cluster."));
                    return;
                }
                queue.add(pending);
                queued++;
                return;
            }
            // An entry, also an empty one, says that a request to the region is under way.
            waiting.put(region, new ArrayDeque<>());
            first = new Attempt(List.of(pending), List.of(), 0, 0);
            underWay.put(region, first.done);
        }
        send(region, first);
    }

    private void send(Key region, Attempt attempt) {
        attempt.run().whenComplete((done, impossible) -> next(region));
    }

    private void next(Key region) {
        List<Pending> group = new ArrayList<>();
        Attempt attempt;
        synchronized (this) {
            Deque<Pending> queue = waiting.get(region);
            int rows = 0;
            long bytes = 0;
            while (queue != null && !queue.isEmpty()) {
                Pending first = queue.peek();
                rows += first.commit.writes().size();
                bytes += first.bytes;
                if (!group.isEmpty() && (rows > GROUP_ROWS_MAX || bytes > GROUP_BYTES_MAX)) {
                    break;
                }
                group.add(queue.remove());
                queued--;
            }
            if (group.isEmpty()) {
                waiting.remove(region);
                underWay.remove(region);
                notifyAll();
                return;
            }
            attempt = new Attempt(group, List.of(), 0, 0);
            underWay.put(region, attempt.done);
        }
        send(region, attempt);
    }

    /** Whether the row has to be free, whatever is done to it then. */
    private static boolean needsFreeRow(Write write) {
        return !(write instanceof Write.Merge) && write.precondition().equals(Precondition.ABSENT);
    }

    /** One try to have a group of commits written, and what follows from it. */
    private final class Attempt {
        private final List<Pending> pending;
        private final List<Sent> earlier;
        private final int number;
        private final int pauses;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        /**
         * @param number how many were in vain; those that a server turned away before it looked at rows do not count
         * @param pauses how often was waited for something to pass
         */
        Attempt(List<Pending> pending, List<Sent> earlier, int number, int pauses) {
            this.pending = pending;
            this.earlier = earlier;
            this.number = number;
            this.pauses = pauses;
        }

        /** Completes when every commit has its answer, and never exceptionally. */
        CompletionStage<Void> run() {
            cluster.readAll(toRead()).thenCompose(this::prepared).whenComplete((reads, failure) -> {
                if (failure != null) {
                    again(earlier, failure);
                } else {
                    decide(reads);
                }
            });
            return done;
        }

        /** The same rows, when versions above theirs can be given. */
        private CompletionStage<Map<Key, RowCells.Read>> prepared(Map<Key, RowCells.Read> reads) {
            reads.values().forEach(read -> versions.seen(Rows.version(read.row())));
            return versions.prepare().thenApply(ready -> reads);
        }

        /**
         * The rows to be known before anything is judged. A commit that only inserts is at first taken to find its rows free,
         * which the request makes sure of.
         */
        private Set<Key> toRead() {
            Set<Key> keys = new LinkedHashSet<>();
            for (Pending one : pending) {
                List<Write> writes = one.commit.writes();
                if (number > 0 || !writes.stream().allMatch(Committer::needsFreeRow)) {
                    writes.forEach(write -> keys.add(write.key()));
                }
            }
            return keys;
        }

        private void decide(Map<Key, RowCells.Read> reads) {
            try {
                for (Sent sent : earlier) {
                    if (tookEffect(sent, reads)) {
                        answer(sent.group.results());
                        return;
                    }
                }
                if (number >= JOINT_ATTEMPTS_MAX && pending.size() > 1) {
                    apart(0);
                    return;
                }
                Versions.Point before = versions.now();
                CommitGroup group = new CommitGroup(CommitGroup.rows(reads));
                group.stage(pending.stream().map(Pending::commit).toList(), isDropped, versions::next);
                if (number == 0 && refusesTooSoon(group)) {
                    versions.takeBack(before, group.committed());
                    again(earlier, null);
                    return;
                }
                if (group.changesNothing()) {
                    answer(group.results());
                    return;
                }
                send(group, before);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        /** Whether an insert was refused for one of its rows while another, taken to be free, may have been the first. */
        private boolean refusesTooSoon(CommitGroup group) {
            for (int i = 0; i < pending.size(); i++) {
                List<Write> writes = pending.get(i).commit.writes();
                if (group.results().get(i) instanceof CommitResult.Refused refused
                        && refused.index() > 0
                        && writes.stream().allMatch(Committer::needsFreeRow)) {
                    return true;
                }
            }
            return false;
        }

        private void send(CommitGroup group, Versions.Point before) {
            Sent sent = new Sent(ThreadLocalRandom.current().nextLong(), group);
            long begun = System.nanoTime();
            var request = group.request(sent.number, durability);
            List<Sent> all = new ArrayList<>(earlier);
            all.add(sent);
            cluster.mutate(pending.get(0).commit.writes().get(0).key(), request).whenComplete((held, failure) -> {
                if (failure != null && Failures.hadNoEffect(failure)) {
                    versions.takeBack(before, group.committed());
                    pauseAndGoOn(failure);
                } else if (failure != null) {
                    again(all, failure);
                } else if (held) {
                    answer(group.results());
                    tell(request.getMutationRequestCount(), request.getSerializedSize(), System.nanoTime() - begun);
                } else {
                    // Sent once and refused: it had no effect, unlike what was sent before and never answered.
                    versions.takeBack(before, group.committed());
                    again(earlier, null);
                }
            });
        }

        /** Only deletions leave nothing to be told by; gone as they should be, that is as good as having done it. */
        private boolean tookEffect(Sent sent, Map<Key, RowCells.Read> reads) {
            List<Key> written = sent.group.written();
            if (written.isEmpty()) {
                return sent.group.deleted().stream().noneMatch(reads::containsKey);
            }
            return written.stream().map(reads::get).anyMatch(read -> read != null && read.commit() == sent.number);
        }

        private void again(List<Sent> sent, @Nullable Throwable failure) {
            if (failure != null && pending.size() > 1 && Failures.isOutOfRegion(failure)) {
                // The region was split, and not all of these are in the same one any more.
                apart(0);
                return;
            }
            if (isOver() || (failure != null && !Failures.isTemporary(failure))) {
                fail(failure == null ? Failures.overloaded("Too many write to the same rows.") : failure);
                return;
            }
            if (failure == null && number == 0) {
                follow(new Attempt(pending, sent, 1, pauses), Runnable::run);
                return;
            }
            LOG.debug("A commit is tried again", failure);
            follow(new Attempt(pending, sent, number + 1, pauses + 1), afterPause());
        }

        /** The same once more: a region that is on its way or has no room now says nothing about the rows. */
        private void pauseAndGoOn(Throwable failure) {
            if (isOver()) {
                fail(failure);
                return;
            }
            LOG.debug("A commit is sent again", failure);
            follow(new Attempt(pending, earlier, number, pauses + 1), afterPause());
        }

        private boolean isOver() {
            return pending.stream().anyMatch(one -> one.deadlineNanos - System.nanoTime() <= 0);
        }

        private Executor afterPause() {
            return CompletableFuture.delayedExecutor(pauseMillis(pauses), TimeUnit.MILLISECONDS);
        }

        private void follow(Attempt next, Executor executor) {
            executor.execute(() -> next.run().whenComplete((over, impossible) -> done.complete(null)));
        }

        /** One after the other, each where its partition is now. */
        private void apart(int index) {
            if (index == pending.size()) {
                done.complete(null);
                return;
            }
            new Attempt(List.of(pending.get(index)), List.of(), 1, 0)
                    .run()
                    .whenComplete((over, impossible) -> apart(index + 1));
        }

        private void answer(List<CommitResult> results) {
            for (int i = 0; i < results.size(); i++) {
                pending.get(i).answer.complete(results.get(i));
            }
            done.complete(null);
        }

        private void fail(Throwable failure) {
            EngineException answer = Failures.of(failure);
            pending.forEach(one -> one.answer.completeExceptionally(answer));
            done.complete(null);
        }

        private void tell(int rows, int bytes, long nanos) {
            try {
                observer.get().groupWritten(pending.size(), rows, bytes, nanos);
            } catch (RuntimeException e) {
                LOG.error("The observer of commits failed", e);
            }
        }
    }

    /** Completes when every request that is under way has its answer; those still to be sent are not waited for. */
    synchronized CompletionStage<Void> settled() {
        return CompletableFuture.allOf(underWay.values().toArray(CompletableFuture[]::new));
    }

    /** How many commits wait. */
    synchronized int queued() {
        return queued;
    }

    /** Takes no more and returns when all that was taken has its answer. */
    synchronized void close() {
        closed = true;
        boolean interrupted = false;
        while (!underWay.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
