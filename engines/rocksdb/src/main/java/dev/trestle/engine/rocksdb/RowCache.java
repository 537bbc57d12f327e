package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.filter.Filter;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A cache of frequently scanned rows on the Java heap, where iterating costs a fraction of what it costs in
 * RocksDB.
 *
 * <p>Its entries are {@link CachedRun}s: snapshots of all rows of a key range. Runs do not overlap. A scan hits
 * only if runs cover it without a gap; otherwise it reads the store.
 *
 * <p><b>Consistency.</b> The committer invalidates every run that a write touches before the write is visible in
 * the store ({@link #beginWrite}). So a run in the map is equal to the store at that moment. Several runs together
 * are a snapshot if all of them are still valid when the last one was found. One thread at a time loads a run from
 * the store; all writes since before its snapshot are recorded, and if one of them is in its range, the run is
 * discarded.
 *
 * <p><b>Cost.</b> Loading a run costs about as much as scanning it. A run is loaded only after scans of its
 * partition have read several times as many rows from the store ({@link Settings#patienceRows}), and at most one
 * in each pause. If a run was not used until the next is loaded, the pause doubles, up to {@value #PAUSES_MAX}
 * times its setting; after a run that was used it is short again. So where runs are seldom used, because there are
 * too many of them or each is invalidated at once, loading them costs nearly nothing.
 * Eviction is by second chance (CLOCK): runs go that were not read since the hand passed last, so that a large
 * scan does not evict what is in use.
 *
 * <p>Lookups are lock-free; everything else holds the lock of this object briefly.
 */
final class RowCache {
    /** Number of counters of missed rows; a partition uses the one of its hash. */
    private static final int HEAT_SLOTS = 4096;

    /** Limit of the keys recorded while a run is loaded; beyond it the run is discarded. */
    private static final int WRITTEN_MAX = 10_000;

    /** The longest pause between two loads, as a multiple of the setting. */
    private static final int PAUSES_MAX = 64;

    /**
     * Settings of the cache.
     *
     * @param bytesMax limit of the size of all runs; 0 disables the cache
     * @param runRows limit of the rows of a run
     * @param runBytes approximate limit of the size of a run
     * @param patienceRows rows that scans of a partition read from the store before a run of it is loaded
     * @param pause minimum time between two loads, which bounds the garbage they create; more between loads that are
     *     of no use
     */
    record Settings(long bytesMax, int runRows, int runBytes, int patienceRows, Duration pause) {
        static Settings of(long bytesMax) {
            return new Settings(bytesMax, 1024, 256 << 10, 4096, Duration.ofMillis(20));
        }
    }

    private final Settings settings;
    private final LongSupplier nanoTime;
    private final NavigableMap<byte[], CachedRun> runs = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final AtomicIntegerArray heat = new AtomicIntegerArray(HEAT_SLOTS);
    private long bytes;
    private Collection<Key> writing = List.of();
    private @Nullable Load load;
    private byte[] hand = {};
    private @Nullable CachedRun lastLoaded;
    private int pauses = 1;
    private volatile long nextNanos;

    RowCache(Settings settings) {
        this(settings, System::nanoTime);
    }

    /** @param nanoTime as {@link System#nanoTime} */
    RowCache(Settings settings, LongSupplier nanoTime) {
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.nextNanos = nanoTime.getAsLong();
    }

    /** The load of a run into the gap between two others, with the keys written since before it began. */
    static final class Load {
        private final KeyRange gap;
        private final byte[] at;
        private final List<Key> written = new ArrayList<>();
        private boolean invalid;

        Load(KeyRange gap, byte[] at) {
            this.gap = gap;
            this.at = at;
        }

        void record(Collection<Key> keys) {
            if (written.size() + keys.size() > WRITTEN_MAX) {
                invalid = true;
            } else {
                written.addAll(keys);
            }
        }

        boolean isValid(CachedRun run) {
            KeyRange covered = new KeyRange(run.from(), run.to());
            return !invalid && written.stream().noneMatch(key -> covered.contains(key.bytes()));
        }
    }

    /** Returns a cursor over all rows that the scan may need, or empty if not all of them are cached. */
    Optional<RowCursor> find(Scan scan, RowMatcher matcher) {
        if (scan.ranges().size() != 1) {
            return Optional.empty();
        }
        KeyRange range = scan.ranges().get(0);
        Map.Entry<byte[], CachedRun> begin = runs.floorEntry(range.from());
        if (begin == null || !begin.getValue().reaches(range.from())) {
            return Optional.empty();
        }
        CachedRun last = begin.getValue();
        List<CachedRun> found = new ArrayList<>(4);
        found.add(last);
        // One row more than the page may have, because the page reports where to resume.
        long enough = matcher.matchesAll() ? 1L + scan.limits().rows() : Long.MAX_VALUE;
        long rows = (long) last.size() - last.search(range.from());
        while (rows < enough && Arrays.compareUnsigned(last.to(), range.to()) < 0) {
            CachedRun next = runs.get(last.to());
            if (next == null) {
                return Optional.empty();
            }
            found.add(next);
            rows += next.size();
            last = next;
        }
        for (CachedRun run : found) {
            if (!run.isValid()) {
                return Optional.empty();
            }
            run.use();
        }
        return Optional.of(new CachedRows(found, range.to()));
    }

    /** Counts rows that a scan has read from the store; returns whether to {@link #fill} now. */
    boolean missed(Scan scan, long examined) {
        byte[] from = scan.ranges().get(0).from();
        if (settings.bytesMax() == 0 || scan.ranges().size() != 1 || !inCollection(from)) {
            return false;
        }
        int slot = partitionHash(from) & (HEAT_SLOTS - 1);
        int rows = heat.get(slot);
        if (rows < settings.patienceRows()) {
            rows = heat.addAndGet(slot, (int) Math.min(examined, settings.patienceRows()));
        }
        if (rows < settings.patienceRows() || nanoTime.getAsLong() - nextNanos < 0) {
            return false;
        }
        heat.set(slot, 0);
        return true;
    }

    private static boolean inCollection(byte[] position) {
        for (int i = 0; i < Key.partitionKeyStart(); i++) {
            if (i >= position.length || position[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** Hashes the part of a position before its row key. */
    private static int partitionHash(byte[] position) {
        int hash = 0;
        for (int i = 0; i < position.length && position[i] != 0; i++) {
            hash = 31 * hash + position[i];
        }
        return hash ^ hash >>> 12;
    }

    /**
     * Loads a run around the start of the scan, or after the runs that exist there, unless another load is in
     * progress.
     */
    void fill(Store store, Scan scan) throws RocksDBException {
        Optional<Load> begun = beginLoad(scan.ranges().get(0).from());
        if (begun.isPresent()) {
            Optional<CachedRun> run = Optional.empty();
            try {
                run = Optional.of(read(store, begun.get()));
            } finally {
                endLoad(begun.get(), run);
            }
        }
    }

    synchronized Optional<Load> beginLoad(byte[] from) {
        if (load != null || nanoTime.getAsLong() - nextNanos < 0) {
            return Optional.empty();
        }
        byte[] at = from;
        for (CachedRun run = runAt(at); run != null; run = runAt(at)) {
            at = run.to();
        }
        KeyRange gap = gapAt(at);
        if (gap.isEmpty()) {
            return Optional.empty();
        }
        load = new Load(gap, at);
        load.record(writing);
        return Optional.of(load);
    }

    /** Returns the range between the adjacent runs, within the collection. */
    private KeyRange gapAt(byte[] at) {
        KeyRange collection = Key.collectionRange(Key.ofBytes(at).collection());
        Map.Entry<byte[], CachedRun> before = runs.floorEntry(at);
        byte[] from = before == null
                ? collection.from()
                : max(collection.from(), before.getValue().to());
        byte[] after = runs.higherKey(at);
        return new KeyRange(from, after == null || !collection.contains(after) ? collection.to() : after);
    }

    private static byte[] max(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) < 0 ? other : one;
    }

    CachedRun read(Store store, Load load) throws RocksDBException {
        KeyRange gap = load.gap;
        Store.Cursor cursor = store.cursor(gap.to(), false);
        byte[] from;
        try {
            from = cursor.before(load.at, settings.runRows() / 2, gap.from());
        } catch (RocksDBException | RuntimeException e) {
            cursor.close();
            throw e;
        }
        Scan.Limits limits = new Scan.Limits(settings.runRows(), settings.runBytes(), Duration.ofSeconds(1));
        Scan all = new Scan(List.of(new KeyRange(from, gap.to())), Filter.ALL, List.of(), limits);
        try (PageScan scan = new PageScan(cursor, all, RowMatcher.of(Filter.ALL), () -> false, () -> 0);
                RowPage rows = scan.finish()) {
            return new CachedRun(from, rows.resume().map(Key::bytes).orElse(gap.to()), rows);
        }
    }

    synchronized void endLoad(Load begun, Optional<CachedRun> read) {
        load = null;
        boolean useful = lastLoaded == null || lastLoaded.isUsed();
        pauses = useful ? 1 : Math.min(2 * pauses, PAUSES_MAX);
        nextNanos = nanoTime.getAsLong() + pauses * settings.pause().toNanos();
        lastLoaded = read.orElse(null);
        read.filter(begun::isValid).ifPresent(this::add);
    }

    private void add(CachedRun run) {
        if (run.bytes() > settings.bytesMax()) {
            return;
        }
        runs.put(run.from(), run);
        bytes += run.bytes();
        while (bytes > settings.bytesMax()) {
            Map.Entry<byte[], CachedRun> next = runs.higherEntry(hand);
            if (next == null) {
                next = runs.firstEntry();
            }
            hand = next.getKey();
            if (next.getValue() != run && !next.getValue().takeUsed()) {
                remove(next.getValue());
            }
        }
    }

    /**
     * Invalidates the runs of keys that are about to be written. Called before the write is visible in the store;
     * the keys must not change until {@link #endWrite}.
     */
    synchronized void beginWrite(Collection<Key> keys) {
        writing = keys;
        if (load != null) {
            load.record(keys);
        }
        if (!runs.isEmpty()) {
            for (Key key : keys) {
                CachedRun run = runAt(key.bytes());
                if (run != null) {
                    remove(run);
                }
            }
        }
    }

    /** Called when the write is visible in the store, or has failed. */
    synchronized void endWrite() {
        writing = List.of();
    }

    /** Invalidates the runs of a range. Called before and after the range is deleted from the store. */
    synchronized void invalidate(KeyRange range) {
        if (load != null) {
            load.invalid = true;
        }
        CachedRun first = runAt(range.from());
        if (first != null) {
            remove(first);
        }
        if (!range.isEmpty()) {
            runs.subMap(range.from(), true, range.to(), false).values().forEach(this::remove);
        }
    }

    /** Invalidates all runs, after unknown changes of the store. */
    synchronized void clear() {
        if (load != null) {
            load.invalid = true;
        }
        runs.values().forEach(this::remove);
    }

    private @Nullable CachedRun runAt(byte[] position) {
        Map.Entry<byte[], CachedRun> before = runs.floorEntry(position);
        return before != null && before.getValue().reaches(position) ? before.getValue() : null;
    }

    /** Invalidates the run before it leaves the map, so that a lookup that finds a run in its place notices. */
    private void remove(CachedRun run) {
        run.invalidate();
        runs.remove(run.from());
        bytes -= run.bytes();
    }

    /** Returns the size of all runs. */
    synchronized long bytes() {
        return bytes;
    }
}
