package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads one page of a scan through one iterator, which is one snapshot. For one thread, once. */
final class PageScan {
    /** Rows between two looks at the clock; the first looks come sooner, for rows that are slow to read or match. */
    private static final long CLOCK_ROWS = 64;

    /** As good as no limit, and still a number of nanoseconds. */
    private static final Duration TIME_MAX = Duration.ofDays(365);

    /** However many wait, a page gets this long, else little would get done beside the coming and going. */
    private static final long SHARED_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int KEPT_BYTES_MAX = 1 << 20;

    /** Row keys start above; what the engine itself keeps lies below. */
    private static final byte[] FIRST = {1};

    private static final ThreadLocal<byte[][]> BUFFERS =
            ThreadLocal.withInitial(() -> new byte[][] {new byte[4 * 1024], new byte[64 * 1024]});

    private final Scan scan;
    private final RowMatcher matcher;
    private final RocksIterator iterator;
    private final BooleanSupplier closing;
    private final IntSupplier waiting;
    private final RowPage.Builder page;
    private final RowReader reader = new RowReader();
    private final long startNanos = System.nanoTime();
    private final long limitNanos;
    private final byte[][] buffers = BUFFERS.get();
    private byte[] key = buffers[0];
    private byte[] row = buffers[1];
    private long examined;
    private long clockAt = 1;

    private PageScan(
            Scan scan, RowMatcher matcher, RocksIterator iterator, BooleanSupplier closing, IntSupplier waiting) {
        this.scan = scan;
        this.page = new RowPage.Builder(scan.limits().rows());
        this.matcher = matcher;
        this.iterator = iterator;
        this.closing = closing;
        this.waiting = waiting;
        Duration time = scan.limits().time();
        this.limitNanos = time.compareTo(TIME_MAX) < 0 ? time.toNanos() : TIME_MAX.toNanos();
    }

    /** @param waiting how many pages wait for a thread; the more, the less time this one takes */
    static RowPage run(Store store, Scan scan, RowMatcher matcher, BooleanSupplier closing, IntSupplier waiting)
            throws RocksDBException {
        List<KeyRange> ranges = scan.ranges();
        if (ranges.isEmpty()) {
            return new RowPage.Builder().end();
        }
        try (Store.Cursor cursor = store.cursor(ranges.get(ranges.size() - 1).to())) {
            return new PageScan(scan, matcher, cursor.iterator(), closing, waiting).page();
        }
    }

    private RowPage page() throws RocksDBException {
        for (KeyRange range : scan.ranges()) {
            if (range.isEmpty()) {
                continue;
            }
            iterator.seek(Arrays.compareUnsigned(range.from(), FIRST) < 0 ? FIRST : range.from());
            while (iterator.isValid()) {
                int keyLength = readKey();
                if (Arrays.compareUnsigned(key, 0, keyLength, range.to(), 0, range.to().length) >= 0) {
                    break;
                }
                RowPage.StopReason stop = visit(keyLength);
                if (stop != RowPage.StopReason.END) {
                    return page.stop(stop, Key.ofBytes(Arrays.copyOf(key, keyLength)));
                }
                iterator.next();
            }
            // An iterator that failed looks like one that came to its end.
            iterator.status();
        }
        return page.end();
    }

    /** Looks at the row under the iterator; a limit reached before it could be added is the answer, else END. */
    private RowPage.StopReason visit(int keyLength) {
        if (examined == clockAt) {
            if (closing.getAsBoolean()) {
                throw Failures.closed();
            }
            if (System.nanoTime() - startNanos >= shareNanos(limitNanos, waiting.getAsInt())) {
                return RowPage.StopReason.TIME_LIMIT;
            }
            clockAt += Math.min(examined, CLOCK_ROWS);
        }
        examined++;
        page.examine();
        boolean full = page.size() >= scan.limits().rows();
        if (full && matcher.matchesAll()) {
            return RowPage.StopReason.ROW_LIMIT;
        }
        int rowLength = readRow();
        if (!matcher.matches(key, 0, keyLength, row, 0, rowLength, reader)) {
            return RowPage.StopReason.END;
        }
        if (full) {
            return RowPage.StopReason.ROW_LIMIT;
        }
        if (page.size() > 0
                && (long) page.bytes() + keyLength + rowLength > scan.limits().bytes()) {
            return RowPage.StopReason.BYTE_LIMIT;
        }
        page.add(key, keyLength, row, rowLength);
        return RowPage.StopReason.END;
    }

    /**
     * How long a page may take. Those who wait share the time, so that a few that look at a whole table do not keep all
     * others waiting for as many times the limit; a page may always end sooner, for its client asks for the next.
     */
    static long shareNanos(long limitNanos, int waiting) {
        return Math.min(limitNanos, Math.max(SHARED_NANOS_MIN, limitNanos / (1 + waiting)));
    }

    private int readKey() {
        int length = iterator.key(key);
        if (length > key.length) {
            key = grown(0, length);
            length = iterator.key(key);
        }
        return length;
    }

    private int readRow() {
        int length = iterator.value(row);
        if (length > row.length) {
            row = grown(1, length);
            length = iterator.value(row);
        }
        return length;
    }

    /** A larger array, kept for the thread's next pages unless it is huge. */
    private byte[] grown(int buffer, int length) {
        byte[] larger = new byte[Math.max(length, Math.min(2 * length, KEPT_BYTES_MAX))];
        if (larger.length <= KEPT_BYTES_MAX) {
            buffers[buffer] = larger;
        }
        return larger;
    }
}
