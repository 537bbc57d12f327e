package dev.trestle.keyspace;

import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.util.Arrays;

/**
 * Writes one encoded row, property by property, in the order given. The caller answers for names being distinct; the
 * version is set by the engine that commits the row. Mutable, for one thread; {@link #reset} makes it ready again.
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

    /** Properties written so far. */
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
        begin(name, EdmType.STRING, bytes + VARINT_BYTES_MAX);
        length = Bytes.writeVarint(data, length, bytes);
        length = Cesu8.encode(value, data, length);
        return this;
    }

    public RowBuilder int32(byte[] name, int value) {
        begin(name, EdmType.INT32, 4);
        Bytes.writeInt(data, length, value);
        length += 4;
        return this;
    }

    /** An Int64 or a DateTime. */
    public RowBuilder int64(byte[] name, EdmType type, long value) {
        begin(name, type, 8);
        Bytes.writeLong(data, length, value);
        length += 8;
        return this;
    }

    public RowBuilder real(byte[] name, double value) {
        // One NaN only, so that equal values have equal bytes.
        return int64(name, EdmType.DOUBLE, Double.doubleToLongBits(value));
    }

    public RowBuilder bool(byte[] name, boolean value) {
        begin(name, EdmType.BOOLEAN, 1);
        data[length++] = (byte) (value ? 1 : 0);
        return this;
    }

    public RowBuilder guid(byte[] name, long high, long low) {
        begin(name, EdmType.GUID, 16);
        Bytes.writeLong(data, length, high);
        Bytes.writeLong(data, length + 8, low);
        length += 16;
        return this;
    }

    /** A Binary, or a String already encoded. */
    public RowBuilder bytes(byte[] name, EdmType type, byte[] value, int offset, int count) {
        begin(name, type, count + VARINT_BYTES_MAX);
        length = Bytes.writeVarint(data, length, count);
        System.arraycopy(value, offset, data, length, count);
        length += count;
        return this;
    }

    /** Copies the property under the cursor as it is. */
    RowBuilder copy(RowReader property) {
        int bytes = property.propertyEnd() - property.propertyStart();
        reserve(bytes);
        System.arraycopy(property.data(), property.propertyStart(), data, length, bytes);
        length += bytes;
        properties++;
        return this;
    }

    private void begin(byte[] name, EdmType type, int valueBytesMax) {
        reserve(VARINT_BYTES_MAX + name.length + 1 + valueBytesMax);
        length = Bytes.writeVarint(data, length, name.length);
        System.arraycopy(name, 0, data, length, name.length);
        length += name.length;
        data[length++] = type.code();
        properties++;
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
