package dev.trestle.engine.rocksdb;

import dev.trestle.engine.RowPage;
import java.util.Arrays;

/**
 * All rows from one position to another, as they were at some moment. What it holds never changes; whether it is still
 * what the store holds, {@link RowCache} knows.
 */
final class CachedRun {
    /** Objects and the entry of the map, about. */
    private static final int OVERHEAD_BYTES = 200;

    private final byte[] from;
    private final byte[] to;
    private final byte[] data;
    private final int[] offsets;
    private final int size;
    private volatile boolean current = true;
    private volatile boolean used;

    /** @param rows all of them between the two positions; copied, so that they take no more room than they need */
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

    /** Whether the position lies before its end; callers know that it is not before its beginning. */
    boolean reaches(byte[] position) {
        return Arrays.compareUnsigned(position, to) < 0;
    }

    /** The first row at or after the position; {@link #size} if there is none. */
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

    int row(int index, byte[] target, int offset, int room) {
        return copy(offsets[2 * index], offsets[2 * index + 1], target, offset, room);
    }

    int key(int index, byte[] target, int offset, int room) {
        return copy(offsets[2 * index + 1], offsets[2 * index + 2], target, offset, room);
    }

    byte[] key(int index) {
        return Arrays.copyOfRange(data, offsets[2 * index + 1], offsets[2 * index + 2]);
    }

    private int copy(int begin, int end, byte[] target, int offset, int room) {
        System.arraycopy(data, begin, target, offset, Math.min(end - begin, room));
        return end - begin;
    }

    /** Whether it has been in the cache until now; once it is not, it never is again. */
    boolean isCurrent() {
        return current;
    }

    void retire() {
        current = false;
    }

    /** Notes that somebody reads it. */
    void use() {
        // A write would take the line from the other processors, a look does not.
        if (!used) {
            used = true;
        }
    }

    /** Whether it was read since this was asked last. */
    boolean takeUsed() {
        boolean since = used;
        used = false;
        return since;
    }
}
