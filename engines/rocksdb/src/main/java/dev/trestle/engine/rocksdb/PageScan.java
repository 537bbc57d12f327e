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
 * Reads one page of a scan through one cursor, which is one snapshot. It may start on one thread and continue on
 * another.
 */
final class PageScan implements AutoCloseable {
    /**
     * Rows between two checks of the clock; the first checks come sooner, for rows that are slow to read or match.
     */
    private static final long CLOCK_ROWS = 64;

    /** Effectively unlimited, and still a number of nanoseconds. */
    private static final Duration TIME_MAX = Duration.ofDays(365);

    /** Minimum time of a page, whatever the queue, so that its overhead stays small. */
    private static final long SHARED_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(20);

    /** The least row key; internal keys of the engine are below. */
    private static final byte[] FIRST = {1};

    /** Limits of a scan on an event loop; beyond them a worker continues it. */
    private static final int BRIEF_ROWS = 128;

    private static final int BRIEF_CACHED_ROWS = 1024;
    private static final int BRIEF_BYTES = 128 * 1024;
    private static final long BRIEF_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    /** Space reserved for a key and for a row; it grows for larger ones. */
    private static final int KEY_BYTES = 2 * 1024;

    private static final int ROW_BYTES = 16 * 1024;

    private final Scan scan;
    private final RowMatcher matcher;
    private final RowCursor cursor;
    private final BooleanSupplier closing;
    private final IntSupplier waiting;
    private final RowPage.Builder page = RowPage.Builder.pooled();
    private final RowReader reader = new RowReader();
    private final long startNanos = System.nanoTime();
    private final long limitNanos;
    private int range;
    private boolean inRange;
    private long clockAt = 1;

    /**
     * @param cursor ends with the last range; closed with this
     * @param waiting number of pages that wait for a thread; the more, the less time this page gets
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

    /** Reads the page to its end. */
    RowPage finish() throws RocksDBException {
        return Objects.requireNonNull(advance(false));
    }

    /** Returns the page if it is short; otherwise {@link #finish} continues it. */
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

    /** Examines the row at the cursor; returns the limit that prevented adding it, else END. */
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
        // Read to its final place; if the row is not added, the next one overwrites it.
        int at = page.bytes();
        int rowLength = readRow(at);
        int keyLength = matcher.asksKeys() ? readKey(at + rowLength) : 0;
        byte[] data = page.reserve(0);
        if (!matcher.matches(data, at + rowLength, keyLength, data, at, rowLength, reader)) {
            return RowPage.StopReason.END;
        }
        if (full) {
            return RowPage.StopReason.ROW_LIMIT;
        }
        if (!matcher.asksKeys()) {
            keyLength = readKey(at + rowLength);
        }
        if (page.size() > 0 && (long) at + rowLength + keyLength > scan.limits().bytes()) {
            return RowPage.StopReason.BYTE_LIMIT;
        }
        page.add(rowLength, keyLength);
        return RowPage.StopReason.END;
    }

    /**
     * Returns the time limit of a page. Waiting pages share the time, so that a few scans of whole tables do not
     * delay all others; a page may always end early, because its client requests the next one.
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

    /** Returns the number of rows examined so far. */
    long examined() {
        return page.examined();
    }

    @Override
    public void close() {
        cursor.close();
        page.close();
    }
}
