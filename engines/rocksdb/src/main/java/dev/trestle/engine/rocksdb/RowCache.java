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
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Rows that are scanned again and again, on the heap, where going from one to the next costs a fraction of what it does
 * inside RocksDB.
 *
 * <p>It holds {@link CachedRun}s: all rows from one position to another. They do not overlap, and a scan is answered from them
 * only where they cover it without a gap; what is not covered is read from the store as if there were no cache.
 *
 * <p><b>What is in it is true.</b> The committer takes out every run that a write concerns before the write can be seen in
 * the store ({@link #beginWrite}). So a run that is in the map holds what the store holds at that moment, and several do
 * together if none of those found first has gone when the last is found. A run is read from the store by one thread at a
 * time, and all that is written from before its snapshot on is noted; when one of these writes lies in the run, the run is
 * thrown away.
 *
 * <p><b>What it costs is bounded.</b> Reading a run costs about as much as a scan of it. One is read only when scans of
 * its partition have gone over several times as many rows of the store since the last time
 * ({@link Settings#patienceRows}), and never before the pause is over. So where every run is written to before it is
 * used, scans get dearer by a fraction at the most. When there is no room, runs go that nobody has read since the last
 * time round: a large scan does not push out what is in use.
 *
 * <p>Looking up takes no lock; all else happens under that of this object, and is short.
 */
final class RowCache {
    /** How many partitions, about, are told apart when rows are counted that could have been here. */
    private static final int HEAT_SLOTS = 4096;

    /** Keys that a run may find written while it is read, before it is given up. */
    private static final int WRITTEN_MAX = 10_000;

    /**
     * How it is used; tests are less patient.
     *
     * @param bytesMax what all runs may take; none are kept when 0
     * @param runRows rows of a run, at most
     * @param runBytes bytes of a run, about
     * @param patienceRows rows that are read from the store between two runs of the same partition
     * @param pause the least time between two runs, so that they cannot keep the collector busy
     */
    record Settings(long bytesMax, int runRows, int runBytes, int patienceRows, Duration pause) {
        static Settings of(long bytesMax) {
            return new Settings(bytesMax, 1024, 256 << 10, 4096, Duration.ofMillis(20));
        }
    }

    private final Settings settings;
    private final NavigableMap<byte[], CachedRun> runs = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final AtomicIntegerArray heat = new AtomicIntegerArray(HEAT_SLOTS);
    private long bytes;
    private Collection<Key> writing = List.of();
    private @Nullable Filling filling;
    private byte[] hand = {};
    private volatile long nextNanos = System.nanoTime();

    RowCache(Settings settings) {
        this.settings = settings;
    }

    /** A run that is being read, between two others, and what was written since before that began. */
    static final class Filling {
        private final KeyRange gap;
        private final byte[] at;
        private final List<Key> written = new ArrayList<>();
        private boolean spoilt;

        Filling(KeyRange gap, byte[] at) {
            this.gap = gap;
            this.at = at;
        }

        void note(Collection<Key> keys) {
            if (written.size() + keys.size() > WRITTEN_MAX) {
                spoilt = true;
            } else {
                written.addAll(keys);
            }
        }

        boolean holds(CachedRun run) {
            KeyRange covered = new KeyRange(run.from(), run.to());
            return !spoilt && written.stream().noneMatch(key -> covered.contains(key.bytes()));
        }
    }

    /** A cursor over all that the scan may ask for, or empty when not all of it is here. */
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
        // One row more than the page may have shows where the next begins.
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
            if (!run.isCurrent()) {
                return Optional.empty();
            }
            run.use();
        }
        return Optional.of(new CachedRows(found, range.to()));
    }

    /** Counts rows that a scan went over in the store; true when it is worth while to {@link #fill} now. */
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
        if (rows < settings.patienceRows() || System.nanoTime() - nextNanos < 0) {
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

    /** Of the part of a position before its row key. */
    private static int partitionHash(byte[] position) {
        int hash = 0;
        for (int i = 0; i < position.length && position[i] != 0; i++) {
            hash = 31 * hash + position[i];
        }
        return hash ^ hash >>> 12;
    }

    /** Reads a run around where the scan begins, or after the runs that are there already, unless another is being read. */
    void fill(Store store, Scan scan) throws RocksDBException {
        Optional<Filling> begun = beginFilling(scan.ranges().get(0).from());
        if (begun.isPresent()) {
            Optional<CachedRun> run = Optional.empty();
            try {
                run = Optional.of(read(store, begun.get()));
            } finally {
                endFilling(begun.get(), run);
            }
        }
    }

    synchronized Optional<Filling> beginFilling(byte[] from) {
        if (filling != null || System.nanoTime() - nextNanos < 0) {
            return Optional.empty();
        }
        byte[] at = from;
        for (CachedRun run = holding(at); run != null; run = holding(at)) {
            at = run.to();
        }
        KeyRange gap = gapAt(at);
        if (gap.isEmpty()) {
            return Optional.empty();
        }
        filling = new Filling(gap, at);
        filling.note(writing);
        return Optional.of(filling);
    }

    /** Between the runs before and after, or as far as the collection goes. */
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

    CachedRun read(Store store, Filling filling) throws RocksDBException {
        KeyRange gap = filling.gap;
        Store.Cursor cursor = store.cursor(gap.to(), false);
        byte[] from;
        try {
            from = cursor.before(filling.at, settings.runRows() / 2, gap.from());
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

    synchronized void endFilling(Filling begun, Optional<CachedRun> read) {
        filling = null;
        nextNanos = System.nanoTime() + settings.pause().toNanos();
        read.filter(begun::holds).ifPresent(this::add);
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
     * Takes out what is about to be written, before it can be seen in the store. Until {@link #endWrite} the keys must not
     * change.
     */
    synchronized void beginWrite(Collection<Key> keys) {
        writing = keys;
        if (filling != null) {
            filling.note(keys);
        }
        if (!runs.isEmpty()) {
            for (Key key : keys) {
                CachedRun run = holding(key.bytes());
                if (run != null) {
                    remove(run);
                }
            }
        }
    }

    /** The write can be seen in the store, or it failed. */
    synchronized void endWrite() {
        writing = List.of();
    }

    /** Takes out what lies in the range; to be called before and after it is removed from the store. */
    synchronized void forget(KeyRange range) {
        if (filling != null) {
            filling.spoilt = true;
        }
        CachedRun first = holding(range.from());
        if (first != null) {
            remove(first);
        }
        if (!range.isEmpty()) {
            runs.subMap(range.from(), true, range.to(), false).values().forEach(this::remove);
        }
    }

    /** Takes out everything: what the store holds may have changed in any way. */
    synchronized void clear() {
        if (filling != null) {
            filling.spoilt = true;
        }
        runs.values().forEach(this::remove);
    }

    private @Nullable CachedRun holding(byte[] position) {
        Map.Entry<byte[], CachedRun> before = runs.floorEntry(position);
        return before != null && before.getValue().reaches(position) ? before.getValue() : null;
    }

    /** Retired before it is taken out, so that whoever finds another run after this one is gone notices. */
    private void remove(CachedRun run) {
        run.retire();
        runs.remove(run.from());
        bytes -= run.bytes();
    }

    /** What the runs take. */
    synchronized long bytes() {
        return bytes;
    }
}
