package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowPage;
import java.util.Arrays;

/**
 * An entry of the {@link RowCache}: a snapshot of all rows of a key range. Its rows never change; the cache
 * invalidates it when a row of the range is written.
 */
final class CachedRun {
    /** Approximate size of the objects and of the map entry. */
    private static final int OVERHEAD_BYTES = 200;

    private final byte[] from;
    private final byte[] to;
    private final byte[] data;
    private final int[] offsets;
    private final int size;
    private volatile boolean valid = true;
    private volatile boolean used;

    /** @param rows all rows of the range; copied to an array of the right size */
    CachedRun(byte[] from, byte[] to, RowPage rows) {
        this.from = from;
        this.to = to;
        this.size = rows.size();
        this.data = Arrays.copyOf(rows.data(), rows.bytes());
        this.offsets = new int[2 * size + 1];
        for (int i = 0; i < size; i++) {
            offsets[2 * i + 1] = rows.keyOffset(i);
            offsets[2 * i + 2] = rows.keyOffset(i) + rows.keyLength(i);
        }
    }

    byte[] from() {
        return from;
    }

    byte[] to() {
        return to;
    }

    int size() {
        return size;
    }

    int bytes() {
        return data.length + Integer.BYTES * offsets.length + from.length + to.length + OVERHEAD_BYTES;
    }

    /** Returns whether the position is before its end; callers know that it is not before its start. */
    boolean reaches(byte[] position) {
        return Arrays.compareUnsigned(position, to) < 0;
    }

    /** Returns the index of the first row at or after the position; {@link #size} if there is none. */
    int search(byte[] position) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(
                            data, offsets[2 * middle + 1], offsets[2 * middle + 2], position, 0, position.length)
                    < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int row(int index, byte[] target, int offset, int space) {
        return copy(offsets[2 * index], offsets[2 * index + 1], target, offset, space);
    }

    int key(int index, byte[] target, int offset, int space) {
        return copy(offsets[2 * index + 1], offsets[2 * index + 2], target, offset, space);
    }

    byte[] key(int index) {
        return Arrays.copyOfRange(data, offsets[2 * index + 1], offsets[2 * index + 2]);
    }

    private int copy(int begin, int end, byte[] target, int offset, int space) {
        System.arraycopy(data, begin, target, offset, Math.min(end - begin, space));
        return end - begin;
    }

    /** Returns whether the run is still in the cache. */
    boolean isValid() {
        return valid;
    }

    /** Marks the run as invalid, for good. */
    void invalidate() {
        valid = false;
    }

    /** Sets the reference bit that eviction checks. */
    void use() {
        // Checked first, because a write would invalidate the cache line on other cores.
        if (!used) {
            used = true;
        }
    }

    /** Returns whether it was used since it was loaded or passed over by eviction. */
    boolean isUsed() {
        return used;
    }

    /** Clears the reference bit, and returns whether it was set. */
    boolean takeUsed() {
        boolean referenced = used;
        used = false;
        return referenced;
    }
}
