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
 * Sends commits in groups by region, which {@link CommitQueue} forms. So commits to one partition never conflict
 * in one front end, and they share a sync. Only other front ends can change a row between the read and the
 * conditional request. Then the group is retried: rows are read and preconditions are checked again.
 *
 * <p>Rows contain the number of the request that wrote them. It shows whether a request whose response was lost
 * took effect, and whether a retried request failed because of its own first attempt.
 */
final class Committer {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

    /** Attempts of a group; after them, each of its commits is sent individually. */
    private static final int GROUP_ATTEMPTS_MAX = 3;

    private static final long PAUSE_MILLIS_MIN = 20;
    private static final long PAUSE_MILLIS_MAX = 1000;

    private final HBaseTable cluster;
    private final Versions versions;
    private final LongPredicate isDropped;
    private final Durability durability;
    private final Duration requestTimeout;
    private final int queuedMax;
    private final Supplier<CommitObserver> observer;

    /** Queues by the start key of the region; each exists while it is not idle. */
    private final Map<Key, CommitQueue> queues = new HashMap<>();

    /** The first attempt of each group in flight; it is done when all commits of the group have completed. */
    private final Set<Attempt> inFlight = new HashSet<>();

    private int queued;
    private boolean closed;

    /** A request that may have taken effect, with its group. */
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
        return pending.result();
    }

    /** Finds the region of the commit, with retries, because during a split there may be none for a moment. */
    private void locate(Pending pending, int attempt) {
        cluster.regionOf(pending.commit().writes().get(0).key()).whenComplete((region, failure) -> {
            if (failure == null) {
                enqueue(region, pending);
            } else if (pending.deadlineNanos() - System.nanoTime() > 0 && HBaseErrors.isTemporary(failure)) {
                Timer.after(pause(attempt)).thenRun(() -> locate(pending, attempt + 1));
            } else {
                pending.result().completeExceptionally(HBaseErrors.of(failure));
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
                pending.result().completeExceptionally(HBaseErrors.closed());
                return;
            }
            CommitQueue queue = queues.get(region);
            if (queue != null && queued >= queuedMax) {
                pending.result()
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
            inFlight.add(attempt);
        }
        attempt.run().whenComplete((done, impossible) -> {
            synchronized (this) {
                inFlight.remove(attempt);
                CommitQueue queue = Objects.requireNonNull(queues.get(region));
                queue.completed(group);
                if (queue.isIdle()) {
                    queues.remove(region);
                    notifyAll();
                }
            }
            sendWaiting(region);
        });
    }

    /** Returns whether the row must be absent. */
    private static boolean needsFreeRow(Write write) {
        return !(write instanceof Write.Merge) && write.precondition().equals(Precondition.ABSENT);
    }

    /** One attempt to write a group of commits, which starts the next one if it fails. */
    private final class Attempt {
        private final List<Pending> pending;
        private final List<Sent> earlier;
        private final int number;
        private final int pauses;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        /**
         * @param number of failed attempts before, without those that a server rejected before it checked
         *     conditions
         * @param pauses number of pauses before, for the backoff
         */
        Attempt(List<Pending> pending, List<Sent> earlier, int number, int pauses) {
            this.pending = pending;
            this.earlier = earlier;
            this.number = number;
            this.pauses = pauses;
        }

        /** Completes when every commit has completed, and never exceptionally. */
        CompletionStage<Void> run() {
            cluster.readAll(toRead()).thenCompose(this::prepared).whenComplete((reads, failure) -> {
                if (failure != null) {
                    retry(earlier, failure);
                } else {
                    decide(reads);
                }
            });
            return done;
        }

        /** Returns the rows when versions above theirs can be generated. */
        private CompletionStage<Map<Key, RowCells.Read>> prepared(Map<Key, RowCells.Read> reads) {
            reads.values().forEach(read -> versions.seen(Rows.version(read.row())));
            return versions.prepare().thenApply(ready -> reads);
        }

        /**
         * Returns the rows to read before preconditions are checked. The first attempt assumes that the rows of a
         * commit of inserts are absent, which the conditions of the request verify.
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
                        complete(sent.group.results());
                        return;
                    }
                }
                if (number >= GROUP_ATTEMPTS_MAX && pending.size() > 1) {
                    sendIndividually(0);
                    return;
                }
                Versions.Point before = versions.now();
                CommitGroup group = new CommitGroup(CommitGroup.rows(reads));
                group.stage(pending.stream().map(Pending::commit).toList(), isDropped, versions::next);
                if (number == 0 && refusesTooSoon(group)) {
                    versions.takeBack(before, group.committed());
                    retry(earlier, null);
                    return;
                }
                if (group.changesNothing()) {
                    complete(group.results());
                    return;
                }
                send(group, before);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        /** Returns whether an insert was refused for a row although an earlier row, assumed absent, may exist. */
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
                            pauseAndRepeat(failure);
                        } else if (failure != null) {
                            retry(all, failure);
                        } else if (held) {
                            complete(group.results());
                            notifyObserver(
                                    request.getMutationRequestCount(),
                                    request.getSerializedSize(),
                                    System.nanoTime() - begun);
                        } else {
                            // Rejected, so this request had no effect; earlier ones without a response may have
                            // had.
                            versions.takeBack(before, group.committed());
                            retry(earlier, null);
                        }
                    });
        }

        /**
         * Returns whether the request took effect. Deletions leave no number; it suffices that their rows are
         * absent.
         */
        private boolean tookEffect(Sent sent, Map<Key, RowCells.Read> reads) {
            List<Key> written = sent.group.written();
            if (written.isEmpty()) {
                return sent.group.deleted().stream().noneMatch(reads::containsKey);
            }
            return written.stream().map(reads::get).anyMatch(read -> read != null && read.commit() == sent.number);
        }

        private void retry(List<Sent> sent, @Nullable Throwable failure) {
            if (failure != null && pending.size() > 1 && HBaseErrors.isOutOfRegion(failure)) {
                // The region was split, and the rows are in both parts.
                sendIndividually(0);
                return;
            }
            if (isTimedOut() || (failure != null && !HBaseErrors.isTemporary(failure))) {
                fail(
                        failure == null
                                ? HBaseErrors.overloaded("Too many concurrent writes to the same rows.")
                                : failure);
                return;
            }
            if (failure == null && number == 0) {
                follow(new Attempt(pending, sent, 1, pauses), Runnable::run);
                return;
            }
            LOG.debug("Retrying a commit group: attempt={}", number + 1, failure);
            follow(new Attempt(pending, sent, number + 1, pauses + 1), afterPause());
        }

        /**
         * Repeats the attempt after a pause. A rejection by a region in transition or without memory says nothing
         * about rows.
         */
        private void pauseAndRepeat(Throwable failure) {
            if (isTimedOut()) {
                fail(failure);
                return;
            }
            LOG.debug("Repeating a commit group after a pause: pauses={}", pauses + 1, failure);
            follow(new Attempt(pending, earlier, number, pauses + 1), afterPause());
        }

        private boolean isTimedOut() {
            return pending.stream().anyMatch(one -> one.deadlineNanos() - System.nanoTime() <= 0);
        }

        private Executor afterPause() {
            return task -> Timer.after(pause(pauses)).thenRun(task);
        }

        private void follow(Attempt next, Executor executor) {
            executor.execute(() -> next.run().whenComplete((completed, impossible) -> done.complete(null)));
        }

        /** Sends the commits individually, one at a time, each to the current region of its partition. */
        private void sendIndividually(int index) {
            if (index == pending.size()) {
                done.complete(null);
                return;
            }
            new Attempt(List.of(pending.get(index)), List.of(), 1, 0)
                    .run()
                    .whenComplete((completed, impossible) -> sendIndividually(index + 1));
        }

        private void complete(List<CommitResult> results) {
            for (int i = 0; i < results.size(); i++) {
                pending.get(i).result().complete(results.get(i));
            }
            done.complete(null);
        }

        private void fail(Throwable failure) {
            EngineException exception = HBaseErrors.of(failure);
            pending.forEach(one -> one.result().completeExceptionally(exception));
            done.complete(null);
        }

        private void notifyObserver(int rows, int bytes, long nanos) {
            try {
                observer.get().groupWritten(pending.size(), rows, bytes, nanos);
            } catch (RuntimeException e) {
                LOG.error("Observing a commit group failed", e);
            }
        }
    }

    /** Completes when every request in flight has completed; it does not wait for queued commits. */
    synchronized CompletionStage<Void> settled() {
        return CompletableFuture.allOf(
                inFlight.stream().map(attempt -> attempt.done).toArray(CompletableFuture[]::new));
    }

    /** Returns the number of queued commits. */
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
