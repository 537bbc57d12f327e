package dev.trestle.keyspace;

import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.util.Arrays;

/**
 * Encodes a row, property by property, in the given order. The caller ensures that names are distinct. The engine
 * sets the version at the commit. Reusable after {@link #reset}, not thread-safe.
 */
public final class RowBuilder {
    private static final int INITIAL_BYTES = 512;
    private static final int VARINT_BYTES_MAX = 5;

    private byte[] data = new byte[INITIAL_BYTES];
    private int length;
    private int properties;

    public RowBuilder() {
        reset();
    }

    public RowBuilder reset() {
        data[0] = RowReader.FORMAT;
        Bytes.writeLong(data, RowReader.VERSION_OFFSET, 0);
        length = RowReader.HEADER_BYTES;
        properties = 0;
        return this;
    }

    /** Returns the array with the row at its start. The next property may replace the array. */
    public byte[] data() {
        return data;
    }

    /** Returns the number of bytes so far. */
    public int length() {
        return length;
    }

    /** Returns the number of properties so far. */
    public int properties() {
        return properties;
    }

    public RowBuilder put(String name, EdmValue value) {
        byte[] encodedName = Cesu8.encode(name);
        if (value instanceof EdmValue.Text text) {
            return text(encodedName, text.value());
        } else if (value instanceof EdmValue.Int32 number) {
            return int32(encodedName, number.value());
        } else if (value instanceof EdmValue.Int64 number) {
            return int64(encodedName, EdmType.INT64, number.value());
        } else if (value instanceof EdmValue.Real number) {
            return real(encodedName, number.value());
        } else if (value instanceof EdmValue.Bool bool) {
            return bool(encodedName, bool.value());
        } else if (value instanceof EdmValue.DateTime time) {
            return int64(encodedName, EdmType.DATE_TIME, time.ticks());
        } else if (value instanceof EdmValue.Guid guid) {
            return guid(encodedName, guid.high(), guid.low());
        } else if (value instanceof EdmValue.Binary binary) {
            return bytes(encodedName, EdmType.BINARY, binary.value(), 0, binary.value().length);
        }
        throw new AssertionError(value);
    }

    public RowBuilder text(byte[] name, String value) {
        int bytes = Cesu8.length(value);
        name(name, 0, name.length).begin(EdmType.STRING, bytes + VARINT_BYTES_MAX);
        length = Bytes.writeVarint(data, length, bytes);
        length = Cesu8.encode(value, data, length);
        return this;
    }

    public RowBuilder int32(byte[] name, int value) {
        return name(name, 0, name.length).int32(value);
    }

    /** An Int64 or a DateTime. */
    public RowBuilder int64(byte[] name, EdmType type, long value) {
        return name(name, 0, name.length).int64(type, value);
    }

    public RowBuilder real(byte[] name, double value) {
        return name(name, 0, name.length).real(value);
    }

    public RowBuilder bool(byte[] name, boolean value) {
        return name(name, 0, name.length).bool(value);
    }

    public RowBuilder guid(byte[] name, long high, long low) {
        return name(name, 0, name.length).guid(high, low);
    }

    /** A Binary, or a String already encoded. */
    public RowBuilder bytes(byte[] name, EdmType type, byte[] value, int offset, int count) {
        return name(name, 0, name.length).bytes(type, value, offset, count);
    }

    /** Begins a property. The next call must add its value. */
    public RowBuilder name(byte[] name, int offset, int count) {
        reserve(VARINT_BYTES_MAX + count);
        length = Bytes.writeVarint(data, length, count);
        System.arraycopy(name, offset, data, length, count);
        length += count;
        properties++;
        return this;
    }

    public RowBuilder int32(int value) {
        begin(EdmType.INT32, Integer.BYTES);
        Bytes.writeInt(data, length, value);
        length += Integer.BYTES;
        return this;
    }

    /** An Int64 or a DateTime. */
    public RowBuilder int64(EdmType type, long value) {
        begin(type, Long.BYTES);
        Bytes.writeLong(data, length, value);
        length += Long.BYTES;
        return this;
    }

    public RowBuilder real(double value) {
        // Canonicalizes NaN, so that equal values have equal bytes.
        return int64(EdmType.DOUBLE, Double.doubleToLongBits(value));
    }

    public RowBuilder bool(boolean value) {
        begin(EdmType.BOOLEAN, 1);
        data[length++] = (byte) (value ? 1 : 0);
        return this;
    }

    public RowBuilder guid(long high, long low) {
        begin(EdmType.GUID, 2 * Long.BYTES);
        Bytes.writeLong(data, length, high);
        Bytes.writeLong(data, length + Long.BYTES, low);
        length += 2 * Long.BYTES;
        return this;
    }

    /** A Binary, or a String already encoded. */
    public RowBuilder bytes(EdmType type, byte[] value, int offset, int count) {
        begin(type, count + VARINT_BYTES_MAX);
        length = Bytes.writeVarint(data, length, count);
        System.arraycopy(value, offset, data, length, count);
        length += count;
        return this;
    }

    /** Copies the current property of a reader. */
    RowBuilder copy(RowReader property) {
        int bytes = property.propertyEnd() - property.propertyStart();
        reserve(bytes);
        System.arraycopy(property.data(), property.propertyStart(), data, length, bytes);
        length += bytes;
        properties++;
        return this;
    }

    private void begin(EdmType type, int valueBytesMax) {
        reserve(1 + valueBytesMax);
        data[length++] = type.code();
    }

    private void reserve(int bytes) {
        if (length + bytes > data.length) {
            data = Arrays.copyOf(data, Math.max(data.length * 2, length + bytes));
        }
    }

    public byte[] build() {
        return Arrays.copyOf(data, length);
    }
}
