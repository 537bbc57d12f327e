package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * One page of a scan: encoded rows in key order, each with its key behind it, packed into one array so that a thousand
 * cost a few allocations, and where to go on. Does not change once built. Nobody has to close one; who is done with it
 * may, so that its memory is used for another.
 */
public final class RowPage implements AutoCloseable {
    private static final byte[] NO_DATA = {};
    private static final int[] NO_OFFSETS = {};

    private byte[] data;
    private int[] offsets;
    private final int size;
    private final Optional<Key> resume;
    private final long examined;
    private final StopReason stopReason;

    private RowPage(byte[] data, int[] offsets, int size, long examined, Optional<Key> resume, StopReason stopReason) {
        this.data = data;
        this.offsets = offsets;
        this.size = size;
        this.examined = examined;
        this.resume = resume;
        this.stopReason = stopReason;
    }

    /** Why the page ended. */
    public enum StopReason {
        END,
        ROW_LIMIT,
        BYTE_LIMIT,
        TIME_LIMIT
    }

    public int size() {
        return size;
    }

    /** Bytes of all keys and rows. */
    public int bytes() {
        return offsets[2 * size];
    }

    /** The array that keys and rows lie in; not to be changed. */
    public byte[] data() {
        return data;
    }

    public int rowOffset(int index) {
        return offsets[2 * index];
    }

    public int rowLength(int index) {
        return offsets[2 * index + 1] - offsets[2 * index];
    }

    public int keyOffset(int index) {
        return offsets[2 * index + 1];
    }

    public int keyLength(int index) {
        return offsets[2 * index + 2] - offsets[2 * index + 1];
    }

    public Key key(int index) {
        return Key.ofBytes(Arrays.copyOfRange(data, keyOffset(index), keyOffset(index) + keyLength(index)));
    }

    public byte[] row(int index) {
        return Arrays.copyOfRange(data, rowOffset(index), rowOffset(index) + rowLength(index));
    }

    /** The key of a row that may match and was not returned, to start the next page at; empty at the end. */
    public Optional<Key> resume() {
        return resume;
    }

    /** Rows looked at, whether they matched or not. */
    public long examined() {
        return examined;
    }

    public StopReason stopReason() {
        return stopReason;
    }

    /** Gives the rows up, by the last who looks at them. What is left are the numbers. */
    @Override
    public void close() {
        if (data != NO_DATA) {
            new Builder(data, offsets).release();
            data = NO_DATA;
            offsets = NO_OFFSETS;
        }
    }

    /** Collects rows; for one thread at a time. */
    public static final class Builder {
        private static final int INITIAL_BYTES = 1024;
        private static final int INITIAL_ROWS = 4;

        /** From here on a page takes the memory it was read into with it; less is copied to size. */
        private static final int LENT_BYTES_MIN = 16 * 1024;

        private static final int KEPT_BYTES_MAX = 1 << 20;

        /** Making and clearing memory for rows costs as much as reading them. */
        private static final Queue<Builder> KEPT =
                new ArrayBlockingQueue<>(2 * Runtime.getRuntime().availableProcessors());

        private byte[] data;
        private int[] offsets;
        private int size;
        private int length;
        private long examined;

        public Builder() {
            this(new byte[INITIAL_BYTES], new int[2 * INITIAL_ROWS + 1]);
        }

        private Builder(byte[] data, int[] offsets) {
            this.data = data;
            this.offsets = offsets;
        }

        /** One with room from earlier pages, if there is any. */
        public static Builder withRoom() {
            Builder kept = KEPT.poll();
            return kept == null ? new Builder() : kept;
        }

        /** Forgets all rows, to be used no more by whoever calls this; its room is kept for another. */
        public void release() {
            size = 0;
            length = 0;
            examined = 0;
            offsets[0] = 0;
            if (data.length >= LENT_BYTES_MIN && data.length + Integer.BYTES * offsets.length <= KEPT_BYTES_MAX) {
                KEPT.offer(this);
            }
        }

        public int size() {
            return size;
        }

        public int bytes() {
            return length;
        }

        /** Rows looked at so far. */
        public long examined() {
            return examined;
        }

        /** Counts a row that was looked at. */
        public void examine() {
            examined++;
        }

        /** Counts rows that were looked at elsewhere. */
        public void examine(long rows) {
            examined += rows;
        }

        public void add(byte[] key, int keyLength, byte[] row, int rowLength) {
            reserve(rowLength + keyLength);
            System.arraycopy(row, 0, data, length, rowLength);
            System.arraycopy(key, 0, data, length + rowLength, keyLength);
            add(rowLength, keyLength);
        }

        /** The array that rows lie in, with room for so many bytes from {@link #bytes} on, to read the next row into. */
        public byte[] reserve(int bytes) {
            if (length + bytes > data.length) {
                data = Arrays.copyOf(data, Math.max(length + bytes, data.length * 2));
            }
            return data;
        }

        /** Adds the row that was read to where there is room for it, and its key behind it. */
        public void add(int rowLength, int keyLength) {
            if (2 * size + 2 >= offsets.length) {
                offsets = Arrays.copyOf(offsets, offsets.length * 2);
            }
            offsets[2 * size + 1] = length + rowLength;
            length += rowLength + keyLength;
            size++;
            offsets[2 * size] = length;
        }

        /** The page when all ranges were read to their end. */
        public RowPage end() {
            return page(Optional.empty(), StopReason.END);
        }

        /** The page when a limit ended it before the row at {@code resume}. */
        public RowPage stop(StopReason reason, Key resume) {
            return page(Optional.of(resume), reason);
        }

        private RowPage page(Optional<Key> resume, StopReason reason) {
            if (length < LENT_BYTES_MIN) {
                byte[] rows = Arrays.copyOf(data, length);
                return new RowPage(rows, Arrays.copyOf(offsets, 2 * size + 1), size, examined, resume, reason);
            }
            RowPage page = new RowPage(data, offsets, size, examined, resume, reason);
            data = new byte[INITIAL_BYTES];
            offsets = new int[2 * INITIAL_ROWS + 1];
            return page;
        }
    }
}
