package dev.trestle.engine.rocksdb;

import dev.trestle.keyspace.Bytes;
import dev.trestle.keyspace.Rows;
import java.util.Arrays;
import org.rocksdb.WriteBatch;

/**
 * A RocksDB write batch that is encoded in Java and passed in one native call, which saves a call for each row.
 * Its format is that of RocksDB's write-ahead log, which is stable:
 *
 * <pre>
 * batch  = sequence (8 bytes, set by RocksDB) | count (4 bytes, little-endian) | record*
 * record = 01 | key length (varint) | key | value length (varint) | value
 *        | 00 | key length (varint) | key
 * </pre>
 *
 * <p>Not thread-safe; {@link #clear} prepares it for the next use.
 */
final class Batch {
    private static final int COUNT_OFFSET = 8;
    private static final int HEADER_BYTES = 12;
    private static final int VARINT_BYTES_MAX = 5;
    private static final byte DELETION = 0;
    private static final byte VALUE = 1;
    private static final int BUFFER_BYTES_MAX = 8 << 20;

    private byte[] data = new byte[64 * 1024];
    private int length = HEADER_BYTES;
    private int count;

    void put(byte[] key, byte[] value) {
        reserve(1 + 2 * VARINT_BYTES_MAX + key.length + value.length);
        data[length++] = VALUE;
        append(key);
        append(value);
        count++;
    }

    /**
     * Puts a copy of the row with the version; the row itself is not changed.
     *
     * @return where the copy begins, for {@link #copy}
     */
    int put(byte[] key, byte[] row, long version) {
        put(key, row);
        int start = length - row.length;
        Rows.stamp(data, start, version);
        return start;
    }

    /** Copies bytes of a value that was put. */
    void copy(int start, byte[] target, int bytes) {
        System.arraycopy(data, start, target, 0, bytes);
    }

    void delete(byte[] key) {
        reserve(1 + VARINT_BYTES_MAX + key.length);
        data[length++] = DELETION;
        append(key);
        count++;
    }

    int count() {
        return count;
    }

    int bytes() {
        return length;
    }

    WriteBatch toWriteBatch() {
        for (int i = 0; i < 4; i++) {
            data[COUNT_OFFSET + i] = (byte) (count >>> (8 * i));
        }
        return new WriteBatch(Arrays.copyOf(data, length));
    }

    void clear() {
        if (data.length > BUFFER_BYTES_MAX) {
            data = new byte[64 * 1024];
        }
        length = HEADER_BYTES;
        count = 0;
    }

    private void append(byte[] bytes) {
        length = Bytes.writeVarint(data, length, bytes.length);
        System.arraycopy(bytes, 0, data, length, bytes.length);
        length += bytes.length;
    }

    private void reserve(int bytes) {
        if (length + bytes > data.length) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + bytes));
        }
    }
}
