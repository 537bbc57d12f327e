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
 * Rows in an embedded RocksDB. Reads and short scans run on the caller's thread while memory answers them: the block cache, or
 * the page cache of the operating system ({@link PageCacheMonitor}). A worker runs what has to wait for the disk or takes long.
 * All commits pass through one {@link Committer}.
 */
public final class RocksEngine implements Engine {
    private static final int VALUE_BYTES_KEPT = 64 * 1024;

    private static final ThreadLocal<byte[]> VALUE = ThreadLocal.withInitial(() -> new byte[VALUE_BYTES_KEPT]);

    private final Optional<DataFolder> folder;
    private final Store store;
    private final UsageLatch gate = new UsageLatch();
    private final RowCache cache;
    private final Committer committer;
    private final WorkerPool reads;
    private final WorkerPool scans;
    private final Reclaimer reclaimer;
    private final RocksTelemetry telemetry;
    private final RowDamage damage = new RowDamage();
    private final PageCacheMonitor pageCache;

    /** Dropped collections that operations in flight may still refer to; entries are evicted by {@link #release}. */
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
        this.committer = new Committer(store, gate, cache, clock, config, dropped::contains, damage);
        EngineLimits limits = config.limits();
        this.reads = new WorkerPool("trestle-read", config.readThreads(), limits.readsQueuedMax(), damage::failure);
        this.scans = new WorkerPool("trestle-scan", config.scanThreads(), limits.scansQueuedMax(), damage::failure);
        this.reclaimer = new Reclaimer(store, gate, cache, damage);
        this.telemetry = new RocksTelemetry(store, gate, cache, committer.queue(), reads, scans, damage, dropped::size);
    }

    /**
     * Opens the engine, making its folder where there is none.
     *
     * @throws EngineException with a sentence for the person who starts the server when the folder cannot be used
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

    /** What can be seen of this engine from outside while it works. */
    public EngineTelemetry telemetry() {
        return telemetry;
    }

    @Override
    public CompletionStage<Optional<byte[]>> read(Key key) {
        if (!gate.enter()) {
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
            gate.leave();
        }
    }

    private byte @Nullable [] readRow(Key key, boolean cached) throws RocksDBException {
        byte[] value = VALUE.get();
        int length = get(key, value, cached);
        if (length == Store.NOT_FOUND) {
            return null;
        }
        while (length > value.length) {
            // Larger than most; and the row may have grown between two looks.
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
        if (!gate.enter()) {
            return CompletableFuture.failedFuture(unavailable());
        }
        // Most pages are short and in memory; going to another thread and back would cost more than reading them.
        PageScan begun;
        try {
            begun = begin(cache.find(scan, matcher).orElseGet(() -> cursor(scan, !pageCache.isWarm())), scan, matcher);
        } catch (Throwable e) {
            gate.leave();
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

    /** Has rows that were read from the store often enough read into the cache, unless there is something else to do. */
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
        gate.leave();
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
            // Only when no commit to the collection is under way any more can the last of its rows be found.
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
        return Optional.of(new FileVerification(store, gate, damage));
    }

    private interface Inside<T> {
        T run() throws RocksDBException;
    }

    private <T> T inside(Inside<T> work) throws RocksDBException {
        if (!gate.enter()) {
            throw unavailable();
        }
        try {
            return work.run();
        } finally {
            gate.leave();
        }
    }

    private EngineException unavailable() {
        return closed.get()
                ? RocksErrors.closed()
                : new EngineException(EngineException.Kind.UNAVAILABLE, "The storage is being opened again.");
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // Commits first, because they were promised an answer; then whoever reads; the native store when nobody can be
        // inside it any more.
        committer.close();
        reclaimer.close();
        reads.close();
        scans.close();
        gate.shut();
        try {
            store.close();
        } finally {
            folder.ifPresent(DataFolder::close);
        }
    }
}
