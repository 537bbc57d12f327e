package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * Reads one page of a scan through one cursor, which is one snapshot. It may begin on one thread and go on on another.
 */
final class PageScan implements AutoCloseable {
    /** Rows between two looks at the clock; the first looks come sooner, for rows that are slow to read or match. */
    private static final long CLOCK_ROWS = 64;

    /** As good as no limit, and still a number of nanoseconds. */
    private static final Duration TIME_MAX = Duration.ofDays(365);

    /** However many wait, a page gets this long, else little would get done beside the coming and going. */
    private static final long SHARED_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);

    /** Row keys start above; what the engine itself keeps lies below. */
    private static final byte[] FIRST = {1};

    /** What an event loop may spend on a scan before another thread goes on with it, so that others need not wait. */
    private static final int BRIEF_ROWS = 128;

    private static final int BRIEF_CACHED_ROWS = 1024;
    private static final int BRIEF_BYTES = 128 * 1024;
    private static final long BRIEF_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    /** Room for most keys and most rows; when it is too little, there will be more. */
    private static final int KEY_BYTES = 2 * 1024;

    private static final int ROW_BYTES = 16 * 1024;

    private final Scan scan;
    private final RowMatcher matcher;
    private final RowCursor cursor;
    private final BooleanSupplier closing;
    private final IntSupplier waiting;
    private final RowPage.Builder page = RowPage.Builder.withRoom();
    private final RowReader reader = new RowReader();
    private final long startNanos = System.nanoTime();
    private final long limitNanos;
    private int range;
    private boolean inRange;
    private long clockAt = 1;

    /**
     * @param cursor ends by itself where the last range does; closed with this
     * @param waiting how many pages wait for a thread; the more, the less time this one takes
     */
    PageScan(RowCursor cursor, Scan scan, RowMatcher matcher, BooleanSupplier closing, IntSupplier waiting) {
        this.cursor = cursor;
        this.scan = scan;
        this.matcher = matcher;
        this.closing = closing;
        this.waiting = waiting;
        Duration time = scan.limits().time();
        this.limitNanos = time.compareTo(TIME_MAX) < 0 ? time.toNanos() : TIME_MAX.toNanos();
    }

    /** The page. */
    RowPage finish() throws RocksDBException {
        return Objects.requireNonNull(advance(false));
    }

    /** The page if it takes little to read it; otherwise {@link #finish} goes on from where this came to. */
    Optional<RowPage> tryBriefly() throws RocksDBException {
        return Optional.ofNullable(advance(true));
    }

    private @Nullable RowPage advance(boolean briefly) throws RocksDBException {
        for (; range < scan.ranges().size(); range++, inRange = false) {
            KeyRange current = scan.ranges().get(range);
            if (current.isEmpty()) {
                continue;
            }
            if (!inRange) {
                cursor.seek(Arrays.compareUnsigned(current.from(), FIRST) < 0 ? FIRST : current.from());
                inRange = true;
            }
            boolean bounded = range == scan.ranges().size() - 1;
            while (cursor.isValid() && (bounded || Arrays.compareUnsigned(cursor.key(), current.to()) < 0)) {
                if (briefly && isLong()) {
                    return null;
                }
                RowPage.StopReason stop = visit();
                if (stop != RowPage.StopReason.END) {
                    return page.stop(stop, Key.ofBytes(cursor.key()));
                }
                cursor.next();
            }
            cursor.status();
        }
        return page.end();
    }

    private boolean isLong() {
        return page.examined() >= (cursor.cached() ? BRIEF_CACHED_ROWS : BRIEF_ROWS)
                || page.bytes() >= BRIEF_BYTES
                || (page.examined() % 16 == 15 && System.nanoTime() - startNanos > BRIEF_NANOS);
    }

    /** Looks at the row under the cursor; a limit reached before it could be added is the answer, else END. */
    private RowPage.StopReason visit() {
        if (page.examined() == clockAt) {
            if (closing.getAsBoolean()) {
                throw RocksErrors.closed();
            }
            if (System.nanoTime() - startNanos >= shareNanos(limitNanos, waiting.getAsInt())) {
                return RowPage.StopReason.TIME_LIMIT;
            }
            clockAt += Math.min(clockAt, CLOCK_ROWS);
        }
        page.examine();
        boolean full = page.size() >= scan.limits().rows();
        if (full && matcher.matchesAll()) {
            return RowPage.StopReason.ROW_LIMIT;
        }
        // Read to where it belongs if it is taken; else the next one is read over it.
        int at = page.bytes();
        int rowLength = readRow(at);
        int keyLength = matcher.readsKeys() ? readKey(at + rowLength) : 0;
        byte[] data = page.reserve(0);
        if (!matcher.matches(data, at + rowLength, keyLength, data, at, rowLength, reader)) {
            return RowPage.StopReason.END;
        }
        if (full) {
            return RowPage.StopReason.ROW_LIMIT;
        }
        if (!matcher.readsKeys()) {
            keyLength = readKey(at + rowLength);
        }
        if (page.size() > 0 && (long) at + rowLength + keyLength > scan.limits().bytes()) {
            return RowPage.StopReason.BYTE_LIMIT;
        }
        page.add(rowLength, keyLength);
        return RowPage.StopReason.END;
    }

    /**
     * How long a page may take. Those who wait share the time, so that a few that look at a whole table do not keep all
     * others waiting for as many times the limit; a page may always end sooner, for its client asks for the next.
     */
    static long shareNanos(long limitNanos, int waiting) {
        return Math.min(limitNanos, Math.max(SHARED_NANOS_MIN, limitNanos / (1 + waiting)));
    }

    private int readRow(int at) {
        byte[] data = page.reserve(ROW_BYTES);
        int length = cursor.row(data, at, data.length - at);
        if (length > data.length - at) {
            data = page.reserve(length);
            cursor.row(data, at, length);
        }
        return length;
    }

    private int readKey(int at) {
        int before = at - page.bytes();
        byte[] data = page.reserve(before + KEY_BYTES);
        int length = cursor.key(data, at, data.length - at);
        if (length > data.length - at) {
            data = page.reserve(before + length);
            cursor.key(data, at, length);
        }
        return length;
    }

    Scan scan() {
        return scan;
    }

    boolean fromCache() {
        return cursor.cached();
    }

    /** Rows looked at so far. */
    long examined() {
        return page.examined();
    }

    @Override
    public void close() {
        cursor.close();
        page.release();
    }
}
