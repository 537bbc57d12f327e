package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.RowVerification;
import dev.trestle.engine.Scan;
import dev.trestle.engine.support.WorkerPool;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Stores rows in an embedded RocksDB. Reads and short scans run on the caller's thread if they are served from
 * memory: from the block cache, or from the page cache of the operating system ({@link PageCacheMonitor}). Workers
 * run those that need the disk or take long. One {@link Committer} writes all commits.
 */
public final class RocksEngine implements Engine {
    private static final int VALUE_BYTES_KEPT = 64 * 1024;

    private static final ThreadLocal<byte[]> VALUE = ThreadLocal.withInitial(() -> new byte[VALUE_BYTES_KEPT]);

    private final Optional<DataFolder> folder;
    private final Store store;
    private final UsageLatch latch = new UsageLatch();
    private final RowCache cache;
    private final Committer committer;
    private final WorkerPool reads;
    private final WorkerPool scans;
    private final Reclaimer reclaimer;
    private final RocksTelemetry telemetry;
    private final RowDamage damage = new RowDamage();
    private final PageCacheMonitor pageCache;

    /**
     * Dropped collections that operations in flight may still refer to; entries are evicted by {@link #release}.
     */
    private final Set<Long> dropped = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean closed = new AtomicBoolean();

    private RocksEngine(
            Optional<DataFolder> folder,
            Store store,
            RowCache cache,
            PageCacheMonitor pageCache,
            RocksEngineConfig config,
            InstantSource clock)
            throws RocksDBException {
        this.folder = folder;
        this.pageCache = pageCache;
        this.store = store;
        this.cache = cache;
        this.committer = new Committer(store, latch, cache, clock, config, dropped::contains, damage);
        EngineLimits limits = config.limits();
        this.reads = new WorkerPool("trestle-read", config.readThreads(), limits.readsQueuedMax(), damage::failure);
        this.scans = new WorkerPool("trestle-scan", config.scanThreads(), limits.scansQueuedMax(), damage::failure);
        this.reclaimer = new Reclaimer(store, latch, cache, damage);
        this.telemetry =
                new RocksTelemetry(store, latch, cache, committer.queue(), reads, scans, damage, dropped::size);
    }

    /**
     * Opens the engine, and creates its folder if it does not exist.
     *
     * @throws EngineException if the folder cannot be used, with a message for the operator
     */
    public static RocksEngine open(RocksEngineConfig config, InstantSource clock) {
        return open(config, RowCache.Settings.of(config.rowCacheBytes()), new PageCacheMonitor(), clock);
    }

    static RocksEngine open(
            RocksEngineConfig config, RowCache.Settings cached, PageCacheMonitor pageCache, InstantSource clock) {
        Optional<DataFolder> folder = config.directory().map(DataFolder::open);
        Store store = null;
        try {
            folder.ifPresent(DataFolder::requireRows);
            store = folder.isPresent() ? new Store(config, folder.get().rows().toString()) : Store.inMemory(config);
            folder.ifPresent(DataFolder::markRows);
            RocksEngine engine = new RocksEngine(folder, store, new RowCache(cached), pageCache, config, clock);
            engine.committer.start(engine.telemetry::observer);
            return engine;
        } catch (RocksDBException | RuntimeException e) {
            if (store != null) {
                store.close();
            }
            folder.ifPresent(DataFolder::close);
            if (e instanceof EngineException refused) {
                throw refused;
            }
            EngineException.Kind kind = RocksErrors.of(e).kind();
            String advice =
                    kind == EngineException.Kind.CORRUPT ? ". They are damaged; restore them from a backup." : "";
            throw new EngineException(
                    kind, "The rows in " + where(config) + " cannot be opened: " + e.getMessage() + advice, e);
        }
    }

    private static String where(RocksEngineConfig config) {
        return config.directory().map(Path::toString).orElse("memory");
    }

    /** Returns the metrics and the health of this engine. */
    public EngineTelemetry telemetry() {
        return telemetry;
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        if (!latch.enter()) {
            return CompletableFuture.failedFuture(unavailable());
        }
        try {
            Optional<byte[]> row = Optional.ofNullable(readRow(key, !pageCache.isWarm()));
            telemetry.readFromMemory();
            return CompletableFuture.completedFuture(row);
        } catch (RocksDBException e) {
            if (!RocksErrors.is(e, Status.Code.Incomplete)) {
                return CompletableFuture.failedFuture(damage.failure(e));
            }
            telemetry.readFromDisk();
            return reads.submit(() -> inside(() -> Optional.ofNullable(readRow(key, false))));
        } finally {
            latch.leave();
        }
    }

    private byte @Nullable [] readRow(Key key, boolean cached) throws RocksDBException {
        byte[] value = VALUE.get();
        int length = get(key, value, cached);
        if (length == Store.NOT_FOUND) {
            return null;
        }
        while (length > value.length) {
            // A loop, because the row may grow between two reads.
            value = new byte[length];
            length = get(key, value, cached);
            if (length == Store.NOT_FOUND) {
                return null;
            }
        }
        return Arrays.copyOf(value, length);
    }

    private int get(Key key, byte[] value, boolean cached) throws RocksDBException {
        return cached ? store.getCached(key.bytes(), value) : store.get(key.bytes(), value);
    }

    @Override
    public CompletionStage<RowPage> scan(Scan scan) {
        if (scan.ranges().isEmpty()) {
            return CompletableFuture.completedFuture(new RowPage.Builder().end());
        }
        RowMatcher matcher = RowMatcher.of(scan.filter());
        if (!latch.enter()) {
            return CompletableFuture.failedFuture(unavailable());
        }
        // Most pages are short and in memory; switching threads would cost more than reading them.
        PageScan begun;
        try {
            begun = begin(cache.find(scan, matcher).orElseGet(() -> cursor(scan, !pageCache.isWarm())), scan, matcher);
        } catch (Throwable e) {
            latch.leave();
            throw e;
        }
        boolean handedOver = false;
        try {
            Optional<RowPage> page = begun.tryBriefly();
            if (page.isPresent()) {
                return CompletableFuture.completedFuture(page.get());
            }
            CompletionStage<RowPage> rest = scans.submit(() -> finish(begun, scan, matcher), () -> leave(begun));
            handedOver = true;
            return rest;
        } catch (RocksDBException e) {
            return RocksErrors.is(e, Status.Code.Incomplete)
                    ? scans.submit(() -> inside(() -> scanAll(scan, matcher)))
                    : CompletableFuture.failedFuture(damage.failure(e));
        } catch (EngineException e) {
            return CompletableFuture.failedFuture(damage.failure(e));
        } finally {
            if (!handedOver) {
                leave(begun);
            }
        }
    }

    private Store.Cursor cursor(Scan scan, boolean cached) {
        return store.cursor(scan.ranges().get(scan.ranges().size() - 1).to(), cached);
    }

    private PageScan begin(RowCursor cursor, Scan scan, RowMatcher matcher) {
        return new PageScan(cursor, scan, matcher, closed::get, scans::queued);
    }

    /** Loads the rows of a scan into the cache if they are read often and no scan waits for a thread. */
    private void noteRead(PageScan scan) {
        telemetry.pageRead(scan.fromCache());
        if (!scan.fromCache() && cache.missed(scan.scan(), scan.examined()) && scans.queued() == 0) {
            var unused = scans.submit(() -> inside(() -> {
                cache.fill(store, scan.scan());
                return Optional.empty();
            }));
        }
    }

    private void leave(PageScan scan) {
        noteRead(scan);
        scan.close();
        latch.leave();
    }

    private RowPage finish(PageScan begun, Scan scan, RowMatcher matcher) throws RocksDBException {
        try {
            return begun.finish();
        } catch (RocksDBException e) {
            if (!RocksErrors.is(e, Status.Code.Incomplete)) {
                throw e;
            }
            return scanAll(scan, matcher);
        }
    }

    private RowPage scanAll(Scan scan, RowMatcher matcher) throws RocksDBException {
        try (PageScan all = begin(cursor(scan, false), scan, matcher)) {
            return all.finish();
        }
    }

    @Override
    public CompletionStage<CommitResult> commit(Commit commit) {
        return committer.submit(commit);
    }

    @Override
    public CompletionStage<Void> drop(long collection) {
        KeyRange range = Key.collectionRange(collection);
        if (closed.get()) {
            return CompletableFuture.failedFuture(RocksErrors.closed());
        }
        dropped.add(collection);
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            // After all commits in flight, because they may still add rows.
            committer.afterEarlier(() -> reclaimer.reclaim(range).whenComplete((nothing, failure) -> {
                if (failure == null) {
                    done.complete(null);
                } else {
                    done.completeExceptionally(failure);
                }
            }));
        } catch (EngineException e) {
            done.completeExceptionally(e);
        }
        return done;
    }

    @Override
    public void release(long collection) {
        dropped.remove(collection);
    }

    @Override
    public Optional<RowVerification> rowVerification() {
        return Optional.of(new FileVerification(store, latch, damage));
    }

    private interface Inside<T> {
        T run() throws RocksDBException;
    }

    private <T> T inside(Inside<T> work) throws RocksDBException {
        if (!latch.enter()) {
            throw unavailable();
        }
        try {
            return work.run();
        } finally {
            latch.leave();
        }
    }

    private EngineException unavailable() {
        return closed.get()
                ? RocksErrors.closed()
                : new EngineException(EngineException.Kind.UNAVAILABLE, "The storage is being reopened.");
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // Commits first, because they were accepted; then reads; finally the native store, when nothing uses it.
        committer.close();
        reclaimer.close();
        reads.close();
        scans.close();
        latch.shut();
        try {
            store.close();
        } finally {
            folder.ifPresent(DataFolder::close);
        }
    }
}
