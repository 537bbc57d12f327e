package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.rocksdb.CommitQueue.Barrier;
import dev.trestle.engine.rocksdb.CommitQueue.Pending;
import dev.trestle.engine.rocksdb.CommitQueue.Task;
import dev.trestle.engine.support.Uninterruptible;
import dev.trestle.model.Ticks;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single writer thread (group commit). It drains a queue of commits, checks the preconditions of each, writes
 * the accepted ones as one batch with one sync, and completes all of them. Commits cannot race, so no locks are
 * needed, and waiting commits share a sync: the longer it takes, the more join the next one.
 *
 * <p>After a failed write, RocksDB fails every later one. If the disk was full, it recovers by itself once space
 * is freed. After any other failure the store must be reopened, which this thread does as soon as the disk accepts
 * files again; the latch excludes all other operations during that time. Until then, reads continue.
 */
final class Committer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

    /**
     * Key of the last version, which is part of every batch, so that versions grow across restarts. Below all row
     * keys.
     */
    private static final byte[] LAST_VERSION_KEY = {0, 'v'};

    private static final long REOPEN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Store store;
    private final UsageLatch latch;
    private final InstantSource clock;
    private final CommitQueue queue;
    private final CommitGroup group;
    private final RowCache cache;
    private final RowDamage damage;
    private final Thread thread;
    private long lastVersion;
    private boolean failing;
    private boolean needsReopen;
    private boolean storeClosed;
    private long reopenAt;
    private long writeNanos;
    private Supplier<CommitObserver> observer = () -> CommitObserver.NONE;

    /** @param isDropped whether a collection is dropped */
    Committer(
            Store store,
            UsageLatch latch,
            RowCache cache,
            InstantSource clock,
            RocksEngineConfig config,
            LongPredicate isDropped,
            RowDamage damage)
            throws RocksDBException {
        this.store = store;
        this.latch = latch;
        this.cache = cache;
        this.damage = damage;
        this.clock = clock;
        this.queue = new CommitQueue(
                config.limits().commitsQueuedMax(), config.limits().commitBytesQueuedMax());
        this.group = new CommitGroup(store, isDropped, this::nextVersion);
        this.lastVersion = storedVersion();
        this.thread = new Thread(this::run, "trestle-committer");
        thread.setDaemon(true);
    }

    /** @param current supplies the observer of each written group */
    void start(Supplier<CommitObserver> current) {
        observer = current;
        thread.start();
    }

    CommitQueue queue() {
        return queue;
    }

    private long storedVersion() throws RocksDBException {
        byte[] version = new byte[Long.BYTES];
        int length = store.get(LAST_VERSION_KEY, version);
        return length == Store.NOT_FOUND ? 0 : ByteBuffer.wrap(version).getLong();
    }

    CompletionStage<CommitResult> submit(Commit commit) {
        Pending pending = Pending.of(commit);
        try {
            queue.offer(pending);
        } catch (EngineException e) {
            return CompletableFuture.failedFuture(e);
        }
        return pending.answer();
    }

    /**
     * Runs the action after all commits submitted before. It runs on the committer's thread, so it must be short.
     */
    void afterEarlier(Runnable action) {
        queue.offer(new Barrier(action));
    }

    private void run() {
        List<Task> tasks = new ArrayList<>();
        List<CommitResult> results = new ArrayList<>();
        while (queue.take(tasks, needsReopen ? REOPEN_NANOS : CommitQueue.FOREVER)) {
            recover();
            write(tasks, results);
            tasks.clear();
            results.clear();
            group.clear();
        }
    }

    private void write(List<Task> tasks, List<CommitResult> results) {
        List<Pending> staged = new ArrayList<>(tasks.size());
        try {
            for (Task task : tasks) {
                if (task instanceof Pending pending) {
                    stage(pending, staged, results);
                }
            }
            if (group.batch().count() > 0) {
                write(group.batch());
            }
            for (int i = 0; i < staged.size(); i++) {
                staged.get(i).answer().complete(results.get(i));
            }
            notifyObserver(staged.size(), group.batch());
        } catch (Throwable failure) {
            // Refusals fail too, because they may depend on rows of this group that were not written. Errors are
            // caught as well, because no commit would ever complete without this thread.
            EngineException answer = damage.failure(failure);
            staged.forEach(pending -> pending.answer().completeExceptionally(answer));
        }
        for (Task task : tasks) {
            if (task instanceof Barrier barrier) {
                barrier.then().run();
            }
        }
    }

    private void stage(Pending pending, List<Pending> staged, List<CommitResult> results) {
        try {
            if (storeClosed) {
                throw new EngineException(EngineException.Kind.UNAVAILABLE, "The storage cannot be reopened.");
            }
            results.add(group.stage(pending.commit()));
            staged.add(pending);
        } catch (RocksDBException | RuntimeException e) {
            pending.answer().completeExceptionally(damage.failure(e));
        }
    }

    private void write(Batch batch) throws RocksDBException {
        batch.put(
                LAST_VERSION_KEY,
                ByteBuffer.allocate(Long.BYTES).putLong(lastVersion).array());
        cache.beginWrite(group.keys());
        try (WriteBatch writeBatch = batch.toWriteBatch()) {
            long start = System.nanoTime();
            store.write(writeBatch);
            writeNanos = System.nanoTime() - start;
        } catch (RocksDBException e) {
            noteFailure(e);
            throw e;
        } finally {
            cache.endWrite();
        }
        if (failing) {
            failing = false;
            // The failed writes may have reached the log.
            cache.clear();
            LOG.info("Writes succeed again");
        }
    }

    /** Called after the commits have completed, so that the observer cannot delay or fail them. */
    private void notifyObserver(int commits, Batch batch) {
        // The batch also contains the last version.
        int rows = batch.count() - 1;
        if (rows > 0) {
            try {
                observer.get().groupWritten(commits, rows, batch.bytes(), writeNanos);
            } catch (RuntimeException e) {
                LOG.error("Observing a commit group failed", e);
            }
        }
    }

    private void noteFailure(RocksDBException failure) {
        if (!failing) {
            // Logged once for each outage, however many commits fail.
            LOG.error("Writing to RocksDB failed", failure);
            failing = true;
        }
        if (!needsReopen && !RocksErrors.isNoSpace(failure)) {
            needsReopen = true;
            reopenAt = System.nanoTime() + REOPEN_NANOS;
        }
    }

    private long nextVersion() {
        lastVersion = Math.max(Ticks.of(clock.instant()), lastVersion + 1);
        return lastVersion;
    }

    private void recover() {
        if (!needsReopen || System.nanoTime() - reopenAt < 0) {
            return;
        }
        if (!store.isDiskWritable()) {
            reopenAt = System.nanoTime() + REOPEN_NANOS;
            return;
        }
        boolean firstTry = !storeClosed;
        if (firstTry) {
            latch.shut();
            storeClosed = true;
        }
        try {
            store.reopen();
            cache.clear();
            // A failed write may be in the log, and its version with it.
            lastVersion = Math.max(lastVersion, storedVersion());
            storeClosed = false;
            needsReopen = false;
            latch.open();
        } catch (RocksDBException e) {
            reopenAt = System.nanoTime() + REOPEN_NANOS;
            if (firstTry) {
                LOG.error("Reopening RocksDB failed. Retrying every second", e);
            }
        }
    }

    /** Writes all commits submitted so far, then stops the thread. */
    @Override
    public void close() {
        queue.close();
        Uninterruptible.run(thread::join);
    }
}
