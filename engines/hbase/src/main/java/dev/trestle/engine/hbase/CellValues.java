package dev.trestle.engine.hbase;

import dev.trestle.keyspace.Bytes;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Codec of property values in cells: the code of the type, then an order-preserving encoding of the value, so that
 * region servers can compare values as bytes.
 */
final class CellValues {
    private CellValues() {}

    /** Encodes the value of the current property. */
    static byte[] encode(RowReader property) {
        return switch (property.type()) {
            case STRING, BINARY, GUID, BOOLEAN -> {
                byte[] cell = new byte[1 + property.valueLength()];
                cell[0] = property.type().code();
                System.arraycopy(property.data(), property.valueOffset(), cell, 1, property.valueLength());
                yield cell;
            }
            case INT32 -> int32(property.int32());
            case INT64, DATE_TIME -> int64(property.type(), property.int64());
            case DOUBLE -> real(property.real());
        };
    }

    /** Encodes a literal. */
    static byte[] encode(EdmValue value) {
        if (value instanceof EdmValue.Text text) {
            return bytes(EdmType.STRING, Cesu8.encode(text.value()));
        } else if (value instanceof EdmValue.Binary binary) {
            return bytes(EdmType.BINARY, binary.value());
        } else if (value instanceof EdmValue.Guid guid) {
            return ByteBuffer.allocate(1 + 2 * Long.BYTES)
                    .put(EdmType.GUID.code())
                    .putLong(guid.high())
                    .putLong(guid.low())
                    .array();
        } else if (value instanceof EdmValue.Int32 number) {
            return int32(number.value());
        } else if (value instanceof EdmValue.Int64 number) {
            return int64(EdmType.INT64, number.value());
        } else if (value instanceof EdmValue.Real number) {
            return real(number.value());
        } else if (value instanceof EdmValue.Bool bool) {
            return new byte[] {EdmType.BOOLEAN.code(), (byte) (bool.value() ? 1 : 0)};
        } else if (value instanceof EdmValue.DateTime time) {
            return int64(EdmType.DATE_TIME, time.ticks());
        }
        throw new AssertionError(value);
    }

    /** Decodes a cell to the value of the property that was started in the row. */
    static void decode(byte[] cell, int offset, int length, RowBuilder row) {
        EdmType type = EdmType.ofCode(cell[offset]);
        if (type.fixedSize() >= 0 && type.fixedSize() != length - 1) {
            throw new IllegalStateException("A stored cell does not have the length of its type.");
        }
        int value = offset + 1;
        switch (type) {
            case STRING, BINARY -> row.bytes(type, cell, value, length - 1);
            case INT32 -> row.int32(Bytes.readInt(cell, value) ^ Integer.MIN_VALUE);
            case INT64, DATE_TIME -> row.int64(type, Bytes.readLong(cell, value) ^ Long.MIN_VALUE);
            case DOUBLE -> row.real(fromOrdered(Bytes.readLong(cell, value)));
            case BOOLEAN -> row.bool(cell[value] != 0);
            case GUID -> row.guid(Bytes.readLong(cell, value), Bytes.readLong(cell, value + Long.BYTES));
        }
    }

    private static byte[] bytes(EdmType type, byte[] value) {
        byte[] cell = new byte[1 + value.length];
        cell[0] = type.code();
        System.arraycopy(value, 0, cell, 1, value.length);
        return cell;
    }

    static byte[] int32(int value) {
        return ByteBuffer.allocate(1 + Integer.BYTES)
                .put(EdmType.INT32.code())
                .putInt(value ^ Integer.MIN_VALUE)
                .array();
    }

    static byte[] int64(EdmType type, long value) {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put(type.code())
                .putLong(value ^ Long.MIN_VALUE)
                .array();
    }

    static byte[] real(double value) {
        return ByteBuffer.allocate(1 + Double.BYTES)
                .put(EdmType.DOUBLE.code())
                .putLong(toOrdered(value))
                .array();
    }

    /** Maps doubles to ordered bits: minus zero is less than zero, and NaN is greater than everything. */
    private static long toOrdered(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    }

    private static double fromOrdered(long ordered) {
        return Double.longBitsToDouble(ordered < 0 ? ordered ^ Long.MIN_VALUE : ~ordered);
    }

    /** Returns the immediate successor in byte order. */
    static byte[] after(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
