package dev.trestle.engine.hbase;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.hbase.CommitQueue.Pending;
import dev.trestle.engine.support.Timer;
import dev.trestle.engine.support.Uninterruptible;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commits in the groups that {@link CommitQueue} makes of those for a region. So commits of one partition never race
 * with each other here, they share a sync, and only other front ends can come between the reading of rows and the request
 * that relies on them. Then the rows are read again, and all is judged anew.
 *
 * <p>Whether a request whose answer was lost took effect, or one that was repeated on the way is refused because of its own
 * first arrival, is told by the rows: they carry the number of the request that wrote them.
 */
final class Committer {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

    /** Attempts of a group as a whole; after them, each of its commits goes alone. */
    private static final int JOINT_ATTEMPTS_MAX = 3;

    private static final long PAUSE_MILLIS_MIN = 20;
    private static final long PAUSE_MILLIS_MAX = 1000;

    private final HBaseTable cluster;
    private final Versions versions;
    private final LongPredicate isDropped;
    private final Durability durability;
    private final Duration requestTimeout;
    private final int queuedMax;
    private final Supplier<CommitObserver> observer;

    /** By the region; each is there while it has something to do. */
    private final Map<Key, CommitQueue> queues = new HashMap<>();

    /** The first of each group; it is done when all commits of the group have their answers. */
    private final Set<Attempt> underWay = new HashSet<>();

    private int queued;
    private boolean closed;

    /** A request that may have taken effect, with what it would mean. */
    private record Sent(long number, CommitGroup group) {}

    Committer(
            HBaseTable cluster,
            Versions versions,
            LongPredicate isDropped,
            HBaseEngineConfig config,
            Supplier<CommitObserver> observer) {
        this.cluster = cluster;
        this.versions = versions;
        this.isDropped = isDropped;
        this.durability = config.isSynced() ? Durability.FSYNC_WAL : Durability.SYNC_WAL;
        this.requestTimeout = config.requestTimeout();
        this.queuedMax = config.limits().commitsQueuedMax();
        this.observer = observer;
    }

    CompletionStage<CommitResult> submit(Commit commit) {
        Pending pending = new Pending(commit, System.nanoTime() + requestTimeout.toNanos());
        locate(pending, 0);
        return pending.answer();
    }

    /** Finds the region to wait for; while it is being split there may be none for a moment. */
    private void locate(Pending pending, int attempt) {
        cluster.regionOf(pending.commit().writes().get(0).key()).whenComplete((region, failure) -> {
            if (failure == null) {
                enqueue(region, pending);
            } else if (pending.deadlineNanos() - System.nanoTime() > 0 && HBaseErrors.isTemporary(failure)) {
                Timer.after(pause(attempt)).thenRun(() -> locate(pending, attempt + 1));
            } else {
                pending.answer().completeExceptionally(HBaseErrors.of(failure));
            }
        });
    }

    private static Duration pause(int attempt) {
        long most = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS_MIN << Math.min(attempt, 10));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(most / 2, most + 1));
    }

    private void enqueue(Key region, Pending pending) {
        synchronized (this) {
            if (closed) {
                pending.answer().completeExceptionally(HBaseErrors.closed());
                return;
            }
            CommitQueue queue = queues.get(region);
            if (queue != null && queued >= queuedMax) {
                pending.answer()
                        .completeExceptionally(HBaseErrors.overloaded("Too many commits wait for the cluster."));
                return;
            }
            if (queue == null) {
                queue = new CommitQueue();
                queues.put(region, queue);
            }
            queue.add(pending);
            queued++;
        }
        sendWaiting(region);
    }

    private void sendWaiting(Key region) {
        for (Optional<CommitQueue.Group> group = next(region); group.isPresent(); group = next(region)) {
            send(region, group.get());
        }
    }

    private synchronized Optional<CommitQueue.Group> next(Key region) {
        CommitQueue queue = queues.get(region);
        if (queue == null) {
            return Optional.empty();
        }
        Optional<CommitQueue.Group> group = queue.next();
        group.ifPresent(taken -> queued -= taken.commits().size());
        return group;
    }

    private void send(Key region, CommitQueue.Group group) {
        Attempt attempt = new Attempt(group.commits(), List.of(), 0, 0);
        synchronized (this) {
            underWay.add(attempt);
        }
        attempt.run().whenComplete((done, impossible) -> {
            synchronized (this) {
                underWay.remove(attempt);
                CommitQueue queue = Objects.requireNonNull(queues.get(region));
                queue.over(group);
                if (queue.isIdle()) {
                    queues.remove(region);
                    notifyAll();
                }
            }
            sendWaiting(region);
        });
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
                List<Write> writes = one.commit().writes();
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
                List<Write> writes = pending.get(i).commit().writes();
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
            cluster.mutate(pending.get(0).commit().writes().get(0).key(), request)
                    .whenComplete((held, failure) -> {
                        if (failure != null && HBaseErrors.hadNoEffect(failure)) {
                            versions.takeBack(before, group.committed());
                            pauseAndGoOn(failure);
                        } else if (failure != null) {
                            again(all, failure);
                        } else if (held) {
                            answer(group.results());
                            tell(
                                    request.getMutationRequestCount(),
                                    request.getSerializedSize(),
                                    System.nanoTime() - begun);
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
            if (failure != null && pending.size() > 1 && HBaseErrors.isOutOfRegion(failure)) {
                // The region was split, and not all of these are in the same one any more.
                apart(0);
                return;
            }
            if (isOver() || (failure != null && !HBaseErrors.isTemporary(failure))) {
                fail(failure == null ? HBaseErrors.overloaded("Too many write to the same rows.") : failure);
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
            return pending.stream().anyMatch(one -> one.deadlineNanos() - System.nanoTime() <= 0);
        }

        private Executor afterPause() {
            return task -> Timer.after(pause(pauses)).thenRun(task);
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
                pending.get(i).answer().complete(results.get(i));
            }
            done.complete(null);
        }

        private void fail(Throwable failure) {
            EngineException answer = HBaseErrors.of(failure);
            pending.forEach(one -> one.answer().completeExceptionally(answer));
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
        return CompletableFuture.allOf(
                underWay.stream().map(attempt -> attempt.done).toArray(CompletableFuture[]::new));
    }

    /** How many commits wait. */
    synchronized int queued() {
        return queued;
    }

    /** Rejects further commits, and returns when all accepted ones have completed. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        Uninterruptible.run(this::awaitIdle);
    }

    private synchronized void awaitIdle() throws InterruptedException {
        while (!queues.isEmpty()) {
            wait();
        }
    }
}
