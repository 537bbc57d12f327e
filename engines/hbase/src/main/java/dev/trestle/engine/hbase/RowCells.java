package dev.trestle.engine.hbase;

import dev.trestle.keyspace.Bytes;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Codec of rows in cells: one cell for each property, and a head cell:
 *
 * <pre>version (8 bytes) | commit (8 bytes) | order of the properties</pre>
 *
 * <p>The commit number identifies the request that wrote the row. The order contains, for each property in its
 * original order, its index among the cells, which HBase sorts by name; it is empty if both orders are equal. The
 * time stamp of a cell is the version of the commit that wrote it, so later cells have greater time stamps
 * whatever the clocks of servers.
 */
final class RowCells {
    static final byte[] FAMILY = {'e'};

    /** Qualifier of the head cell, which sorts before all property names. */
    static final byte[] VERSION = {0};

    private static final int COMMIT_OFFSET = Long.BYTES;
    private static final int ORDER_OFFSET = 2 * Long.BYTES;

    /** Limit of properties whose indexes take one byte each. */
    private static final int NARROW_MAX = 256;

    private RowCells() {}

    /** A row, and the number of the commit that wrote it. */
    record Read(byte[] row, long commit) {}

    /** Decodes the row in the result, with the properties that were requested; null if there is none. */
    static byte @Nullable [] row(Result result) {
        RowBuilder row = new RowBuilder();
        return write(result, row) ? row.build() : null;
    }

    static @Nullable Read read(Result result) {
        byte[] row = row(result);
        if (row == null) {
            return null;
        }
        Cell head = result.rawCells()[0];
        return new Read(row, Bytes.readLong(head.getValueArray(), head.getValueOffset() + COMMIT_OFFSET));
    }

    /** Decodes the row in the result to an empty builder; returns whether there is a row. */
    static boolean write(Result result, RowBuilder row) {
        Cell[] cells = result.rawCells();
        if (cells == null || cells.length == 0) {
            return false;
        }
        Cell first = cells[0];
        if (!CellUtil.matchingQualifier(first, VERSION)) {
            throw new IllegalStateException("A stored row has no version.");
        }
        byte[] data = first.getValueArray();
        int offset = first.getValueOffset();
        int orderLength = first.getValueLength() - ORDER_OFFSET;
        int count = cells.length - 1;
        boolean sorted = orderLength != count * width(count);
        for (int i = 0; i < count; i++) {
            int index = sorted ? i : index(data, offset + ORDER_OFFSET, i, width(count));
            Cell cell = cells[1 + index];
            row.name(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
            CellValues.decode(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength(), row);
        }
        Rows.stamp(row.data(), Bytes.readLong(data, offset));
        return true;
    }

    private static int width(int count) {
        return count <= NARROW_MAX ? 1 : 2;
    }

    private static int index(byte[] order, int offset, int index, int width) {
        return width == 1
                ? order[offset + index] & 0xFF
                : ((order[offset + 2 * index] & 0xFF) << 8) | (order[offset + 2 * index + 1] & 0xFF);
    }

    /**
     * Returns the mutations that change a row; they write only cells that differ.
     *
     * @param before the stored row, null if there is none
     * @param after the new row with its version, null to delete the row
     */
    static List<Mutation> change(
            Key key, byte @Nullable [] before, byte @Nullable [] after, long commit, Durability durability) {
        List<Mutation> mutations = new ArrayList<>(2);
        if (after == null) {
            if (before != null) {
                mutations.add(delete(key.bytes(), Rows.version(before)).setDurability(durability));
            }
            return mutations;
        }
        long version = Rows.version(after);
        Put put = new Put(key.bytes(), version).setDurability(durability);
        put.addColumn(FAMILY, VERSION, head(after, version, commit));
        Map<byte[], byte[]> old = before == null ? Map.of() : cells(before);
        RowReader reader = new RowReader().reset(after);
        while (reader.next()) {
            byte[] name = name(reader);
            byte[] value = CellValues.encode(reader);
            byte[] oldValue = before == null ? null : old.remove(name);
            if (!Arrays.equals(value, oldValue)) {
                put.addColumn(FAMILY, name, value);
            }
        }
        mutations.add(put);
        if (!old.isEmpty()) {
            // With the old version, so that the tombstone cannot hide later cells.
            Delete gone = new Delete(key.bytes()).setDurability(durability);
            old.keySet().forEach(name -> gone.addColumns(FAMILY, name, Rows.version(Objects.requireNonNull(before))));
            mutations.add(gone);
        }
        return mutations;
    }

    /** Returns a deletion of the row with this version. */
    static Delete delete(byte[] key, long version) {
        return new Delete(key).addFamily(FAMILY, version);
    }

    private static Map<byte[], byte[]> cells(byte[] row) {
        Map<byte[], byte[]> cells = new TreeMap<>(Arrays::compareUnsigned);
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            cells.put(name(reader), CellValues.encode(reader));
        }
        return cells;
    }

    private static byte[] name(RowReader reader) {
        return Arrays.copyOfRange(reader.data(), reader.nameOffset(), reader.nameOffset() + reader.nameLength());
    }

    private static byte[] head(byte[] row, long version, long commit) {
        byte[] order = order(row);
        return ByteBuffer.allocate(ORDER_OFFSET + order.length)
                .putLong(version)
                .putLong(COMMIT_OFFSET, commit)
                .position(ORDER_OFFSET)
                .put(order)
                .array();
    }

    private static byte[] order(byte[] row) {
        List<byte[]> names = new ArrayList<>();
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            names.add(name(reader));
        }
        List<byte[]> sorted = new ArrayList<>(names);
        sorted.sort(Arrays::compareUnsigned);
        if (names.equals(sorted)) {
            return new byte[0];
        }
        Map<byte[], Integer> indexes = new TreeMap<>(Arrays::compareUnsigned);
        for (int i = 0; i < sorted.size(); i++) {
            indexes.put(sorted.get(i), i);
        }
        int width = width(names.size());
        ByteBuffer order = ByteBuffer.allocate(names.size() * width);
        for (byte[] name : names) {
            int index = Objects.requireNonNull(indexes.get(name));
            if (width == 1) {
                order.put((byte) index);
            } else {
                order.putShort((short) index);
            }
        }
        return order.array();
    }
}
