package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan: encoded rows in key order, each followed by its key, packed into one array, and where to
 * resume. The rows do not change while the page is open.
 *
 * <p>A page has one owner at a time. {@link Engine#scan} passes it to its caller, which closes it or passes it on.
 * After {@link #close} its array may hold the rows of another page, so access to rows fails; {@link #size},
 * {@link #examined}, {@link #resume} and {@link #stopReason} still work. A page that is never closed is
 * garbage-collected and only costs the reuse of its array.
 */
public final class RowPage implements AutoCloseable {
    private final int size;
    private final int bytes;
    private final Optional<Key> resume;
    private final long examined;
    private final StopReason stopReason;
    private byte @Nullable [] data;
    private int @Nullable [] offsets;

    private RowPage(byte[] data, int[] offsets, int size, long examined, Optional<Key> resume, StopReason stopReason) {
        this.data = data;
        this.offsets = offsets;
        this.size = size;
        this.bytes = offsets[2 * size];
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

    /** Returns the number of rows. */
    public int size() {
        return size;
    }

    /** Returns the size of all keys and rows in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns the array of keys and rows, which must not be modified. */
    public byte[] data() {
        if (data == null) {
            throw closed();
        }
        return data;
    }

    public int rowOffset(int index) {
        return offsets()[2 * index];
    }

    public int rowLength(int index) {
        return offsets()[2 * index + 1] - offsets()[2 * index];
    }

    public int keyOffset(int index) {
        return offsets()[2 * index + 1];
    }

    public int keyLength(int index) {
        return offsets()[2 * index + 2] - offsets()[2 * index + 1];
    }

    public Key key(int index) {
        return Key.ofBytes(Arrays.copyOfRange(data(), keyOffset(index), keyOffset(index) + keyLength(index)));
    }

    /** Returns a copy of an encoded row. */
    public byte[] row(int index) {
        return Arrays.copyOfRange(data(), rowOffset(index), rowOffset(index) + rowLength(index));
    }

    /**
     * Returns the key of a row that may match and was not returned, to start the next page at; empty at the end.
     */
    public Optional<Key> resume() {
        return resume;
    }

    /** Returns the number of rows examined, matching or not. */
    public long examined() {
        return examined;
    }

    public StopReason stopReason() {
        return stopReason;
    }

    /**
     * Releases the array. Called once, by the owner.
     *
     * @throws IllegalStateException if the page is closed already
     */
    @Override
    public void close() {
        Buffer buffer = new Buffer(data(), offsets());
        data = null;
        offsets = null;
        buffer.release();
    }

    private int[] offsets() {
        if (offsets == null) {
            throw closed();
        }
        return offsets;
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("The page is closed.");
    }

    /**
     * The arrays of a page or a builder. Large ones are pooled, because allocating and clearing them for every
     * page costs as much as reading the rows.
     *
     * @param offsets of rows and keys in turn, then the end of the last key
     */
    private record Buffer(byte[] data, int[] offsets) {
        private static final int INITIAL_BYTES = 1024;
        private static final int INITIAL_ROWS = 4;

        /** Smaller pages are copied to size, and the builder keeps its large buffer. */
        private static final int POOLED_BYTES_MIN = 16 * 1024;

        private static final int POOLED_BYTES_MAX = 1 << 20;

        private static final Queue<Buffer> POOL =
                new ArrayBlockingQueue<>(2 * Runtime.getRuntime().availableProcessors());

        static Buffer small() {
            return new Buffer(new byte[INITIAL_BYTES], new int[2 * INITIAL_ROWS + 1]);
        }

        static Buffer pooled() {
            Buffer pooled = POOL.poll();
            return pooled == null ? small() : pooled;
        }

        void release() {
            if (data.length >= POOLED_BYTES_MIN && data.length + Integer.BYTES * offsets.length <= POOLED_BYTES_MAX) {
                POOL.offer(this);
            }
        }
    }

    /**
     * Collects the rows of one page. Not thread-safe. {@link #end} or {@link #stop} builds the page; the owner of
     * the builder closes it afterwards, or without building a page if the scan fails.
     */
    public static final class Builder implements AutoCloseable {
        private static final byte[] NO_DATA = {};
        private static final int[] NO_OFFSETS = {};

        private byte[] data;
        private int[] offsets;
        private int size;
        private int length;
        private long examined;

        private Builder(Buffer buffer) {
            data = buffer.data;
            offsets = buffer.offsets;
            offsets[0] = 0;
        }

        /** Creates a builder for a page of few rows. It need not be closed. */
        public Builder() {
            this(Buffer.small());
        }

        /** Creates a builder that reuses the arrays of an earlier page, if there are any. */
        public static Builder pooled() {
            return new Builder(Buffer.pooled());
        }

        public int size() {
            return size;
        }

        public int bytes() {
            return length;
        }

        /** Returns the number of rows examined so far. */
        public long examined() {
            return examined;
        }

        /** Counts an examined row. */
        public void examine() {
            examined++;
        }

        /** Counts rows that were examined elsewhere. */
        public void examine(long rows) {
            examined += rows;
        }

        public void add(byte[] key, int keyLength, byte[] row, int rowLength) {
            reserve(rowLength + keyLength);
            System.arraycopy(row, 0, data, length, rowLength);
            System.arraycopy(key, 0, data, length + rowLength, keyLength);
            add(rowLength, keyLength);
        }

        /** Returns the array with space for so many bytes from {@link #bytes} on, to read the next row into. */
        public byte[] reserve(int bytes) {
            if (length + bytes > data.length) {
                data = Arrays.copyOf(data, Math.max(length + bytes, data.length * 2));
            }
            return data;
        }

        /** Adds the row and the key that were read into the reserved space. */
        public void add(int rowLength, int keyLength) {
            if (2 * size + 2 >= offsets.length) {
                offsets = Arrays.copyOf(offsets, offsets.length * 2);
            }
            offsets[2 * size + 1] = length + rowLength;
            length += rowLength + keyLength;
            size++;
            offsets[2 * size] = length;
        }

        /** Builds the page after all ranges were read to their end. */
        public RowPage end() {
            return page(Optional.empty(), StopReason.END);
        }

        /** Builds the page after a limit ended it before the row at {@code resume}. */
        public RowPage stop(StopReason reason, Key resume) {
            return page(Optional.of(resume), reason);
        }

        private RowPage page(Optional<Key> resume, StopReason reason) {
            if (length < Buffer.POOLED_BYTES_MIN) {
                byte[] rows = Arrays.copyOf(data, length);
                return new RowPage(rows, Arrays.copyOf(offsets, 2 * size + 1), size, examined, resume, reason);
            }
            RowPage page = new RowPage(data, offsets, size, examined, resume, reason);
            clear();
            return page;
        }

        /** Releases the arrays, unless they are those of the page. */
        @Override
        public void close() {
            Buffer released = new Buffer(data, offsets);
            clear();
            released.release();
        }

        private void clear() {
            data = NO_DATA;
            offsets = NO_OFFSETS;
            size = 0;
            length = 0;
        }
    }
}
