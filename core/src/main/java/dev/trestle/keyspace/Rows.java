package dev.trestle.keyspace;

import dev.trestle.model.EdmType;

/** What can be said and done about whole encoded rows. */
public final class Rows {
    private static final int DOUBLED_SIZE_SAFE_BYTES = 256 * 1024;

    private Rows() {}

    public static long version(byte[] row) {
        return Bytes.readLong(row, RowReader.VERSION_OFFSET);
    }

    /** Sets the version in place. */
    public static void stamp(byte[] row, long version) {
        stamp(row, 0, version);
    }

    /** Sets the version of the row that starts at an offset. */
    public static void stamp(byte[] data, int rowOffset, long version) {
        Bytes.writeLong(data, rowOffset + RowReader.VERSION_OFFSET, version);
    }

    /** The base row with every property of the delta set: in place where the base has the name, else at the end. */
    public static byte[] merge(byte[] base, byte[] delta) {
        RowReader old = new RowReader().reset(base);
        RowReader change = new RowReader();
        RowBuilder merged = new RowBuilder();
        while (old.next()) {
            merged.copy(seek(change.reset(delta), old) ? change : old);
        }
        change.reset(delta);
        while (change.next()) {
            if (!seek(old.reset(base), change)) {
                merged.copy(change);
            }
        }
        return merged.build();
    }

    private static boolean seek(RowReader in, RowReader name) {
        while (in.next()) {
            if (in.sameName(name)) {
                return true;
            }
        }
        return false;
    }

    public static int propertyCount(byte[] row) {
        RowReader reader = new RowReader().reset(row);
        int count = 0;
        while (reader.next()) {
            count++;
        }
        return count;
    }

    /**
     * Whether the row is within a limit by the service's published formula: 4 + 2 x (units of both keys), plus for each
     * property 8 + 2 x units of the name + the value (strings 2 x units + 4, binaries bytes + 4, others their width).
     */
    public static boolean withinDocumentedSize(int keyUnits, byte[] row, long bytesMax) {
        // A row this small cannot double past the limit, and almost every row is this small.
        if (row.length < DOUBLED_SIZE_SAFE_BYTES && bytesMax >= 4L * DOUBLED_SIZE_SAFE_BYTES) {
            return true;
        }
        long size = 4 + 2L * keyUnits;
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            size += 8 + 2L * Cesu8.units(reader.data(), reader.nameOffset(), reader.nameLength());
            if (reader.type() == EdmType.STRING) {
                size += 2L * Cesu8.units(reader.data(), reader.valueOffset(), reader.valueLength()) + 4;
            } else {
                size += reader.valueLength() + (reader.type() == EdmType.BINARY ? 4 : 0);
            }
        }
        return size <= bytesMax;
    }
}
