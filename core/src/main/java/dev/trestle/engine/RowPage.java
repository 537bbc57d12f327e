package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.Arrays;
import java.util.Optional;

/**
 * One page of a scan: encoded rows in key order, each with its key behind it, packed into one array so that a thousand
 * cost a few allocations, and where to go on. Immutable once built.
 */
public final class RowPage {
    private final byte[] data;
    private final int[] offsets;
    private final int size;
    private final Optional<Key> resume;
    private final long examined;
    private final StopReason stopReason;

    private RowPage(Builder builder, Optional<Key> resume, StopReason stopReason) {
        // To size, because the builder is used again.
        this.data = Arrays.copyOf(builder.data, builder.length);
        this.offsets = Arrays.copyOf(builder.offsets, 2 * builder.size + 1);
        this.size = builder.size;
        this.examined = builder.examined;
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

    /** Collects rows; for one thread. {@link #clear} makes it ready again. */
    public static final class Builder {
        private static final int INITIAL_BYTES = 1024;
        private static final int INITIAL_ROWS = 4;

        private byte[] data = new byte[INITIAL_BYTES];
        private int[] offsets = new int[2 * INITIAL_ROWS + 1];
        private int size;
        private int length;
        private long examined;

        /** Forgets all rows, and what room it has made for them if that is more. */
        public void clear(int keptBytesMax) {
            if (data.length + Integer.BYTES * offsets.length > keptBytesMax) {
                data = new byte[INITIAL_BYTES];
                offsets = new int[2 * INITIAL_ROWS + 1];
            }
            size = 0;
            length = 0;
            examined = 0;
            offsets[0] = 0;
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
            return new RowPage(this, Optional.empty(), StopReason.END);
        }

        /** The page when a limit ended it before the row at {@code resume}. */
        public RowPage stop(StopReason reason, Key resume) {
            return new RowPage(this, Optional.of(resume), reason);
        }
    }
}
