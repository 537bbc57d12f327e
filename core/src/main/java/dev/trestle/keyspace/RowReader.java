package dev.trestle.keyspace;

import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.util.Arrays;

/**
 * A cursor over the properties of an encoded row, which it reads in place. Mutable, reusable for any number of
 * rows, not thread-safe.
 *
 * <pre>
 * row      = format (1 byte, now 1) | version (8 bytes) | property*
 * property = name length (varint) | name | type (1 byte) | value
 * value    = the type's fixed number of bytes, or length (varint) | bytes
 * </pre>
 */
public final class RowReader {
    static final byte FORMAT = 1;
    static final int VERSION_OFFSET = 1;
    static final int HEADER_BYTES = 9;

    private byte[] data = new byte[0];
    private int start;
    private int end;
    private int next;
    private int propertyStart;
    private int nameOffset;
    private int nameLength;
    private EdmType type = EdmType.STRING;
    private int valueOffset;
    private int valueLength;

    /** Places the cursor before the first property of the row. */
    public RowReader reset(byte[] data, int offset, int length) {
        if (length < HEADER_BYTES || data[offset] != FORMAT) {
            throw new IllegalStateException("A stored row does not have format " + FORMAT);
        }
        this.data = data;
        this.start = offset;
        this.end = offset + length;
        this.next = offset + HEADER_BYTES;
        return this;
    }

    public RowReader reset(byte[] row) {
        return reset(row, 0, row.length);
    }

    public long version() {
        return Bytes.readLong(data, start + VERSION_OFFSET);
    }

    /** Moves to the next property; false if there is none. */
    public boolean next() {
        if (next >= end) {
            return false;
        }
        byte[] d = data;
        int p = next;
        propertyStart = p;
        int length = d[p++];
        if (length < 0) {
            length = Bytes.readVarint(d, p - 1);
            p = propertyStart + Bytes.varintLength(length);
        }
        nameOffset = p;
        nameLength = length;
        p += length;
        type = EdmType.ofCode(d[p++]);
        int size = type.fixedSize();
        if (size < 0) {
            size = d[p];
            if (size < 0) {
                size = Bytes.readVarint(d, p);
                p += Bytes.varintLength(size);
            } else {
                p++;
            }
        }
        valueOffset = p;
        valueLength = size;
        next = p + size;
        checkInside(next);
        return true;
    }

    /** The encoded name and type of a property, without its value, to find the same property in other rows. */
    public static final class Lead {
        /** Matches no property. */
        public static final Lead NONE = new Lead(new byte[0], EdmType.STRING);

        private static final int COMPARED_AT_ONCE = 2 * Long.BYTES;

        private final byte[] bytes;
        private final int length;
        private final int fixedSize;
        private final EdmType type;

        /** The first 16 bytes, zero-padded, with masks of the bits that are present. */
        private final long first;

        private final long second;
        private final long firstMask;
        private final long secondMask;

        private Lead(byte[] bytes, EdmType type) {
            this.bytes = bytes;
            this.length = bytes.length;
            this.fixedSize = type.fixedSize();
            this.type = type;
            byte[] padded = Arrays.copyOf(bytes, Math.max(COMPARED_AT_ONCE, bytes.length));
            this.first = bytes.length == 0 ? -1 : Bytes.readLong(padded, 0);
            this.second = Bytes.readLong(padded, Long.BYTES);
            this.firstMask = mask(bytes.length);
            this.secondMask = mask(bytes.length - Long.BYTES);
        }

        private static long mask(int count) {
            return count <= 0 ? 0 : -1L << (Byte.SIZE * Math.max(0, Long.BYTES - count));
        }

        public EdmType type() {
            return type;
        }

        /**
         * Returns the value size of the property at {@code p} if it has this lead, otherwise a negative number.
         */
        public int sizeAt(byte[] data, int p, int end) {
            int after = p + length;
            if (after >= end || !isAt(data, p)) {
                return -1;
            }
            if (fixedSize >= 0) {
                return fixedSize;
            }
            int size = data[after];
            return size >= 0 ? size : Bytes.readVarint(data, after);
        }

        /** Returns the value offset of the property at {@code p}, which has this lead and a value of this size. */
        public int valueAt(int p, int size) {
            int after = p + length;
            return fixedSize >= 0 ? after : after + (size < 0x80 ? 1 : Bytes.varintLength(size));
        }

        private boolean isAt(byte[] data, int p) {
            return p + COMPARED_AT_ONCE <= data.length
                    && (Bytes.readLong(data, p) & firstMask) == first
                    && (Bytes.readLong(data, p + Long.BYTES) & secondMask) == second
                    && (length <= COMPARED_AT_ONCE
                            || Arrays.equals(data, p + COMPARED_AT_ONCE, p + length, bytes, COMPARED_AT_ONCE, length));
        }
    }

    /** Returns the offset of the next property. */
    public int position() {
        return next;
    }

    /** Returns the end of the row. */
    public int end() {
        return end;
    }

    /** Places the cursor before the property at this offset. */
    public void moveTo(int property) {
        next = property;
    }

    /** Returns whether the current property has this lead. */
    public boolean has(Lead lead) {
        return lead.length == nameOffset + nameLength + 1 - propertyStart && lead.isAt(data, propertyStart);
    }

    /** Returns the lead of the current property. */
    public Lead lead() {
        int nameEnd = nameOffset + nameLength;
        return new Lead(Arrays.copyOfRange(data, propertyStart, nameEnd + 1), type);
    }

    /** Moves to the property of this name, searching from the start of the row; false if there is none. */
    public boolean find(byte[] name) {
        // Skips the others like next(), without setting the fields.
        byte[] d = data;
        int p = start + HEADER_BYTES;
        while (p < end) {
            int property = p;
            int length = d[p++];
            if (length < 0) {
                length = Bytes.readVarint(d, property);
                p = property + Bytes.varintLength(length);
            }
            if (length == name.length && Arrays.equals(d, p, p + length, name, 0, length)) {
                next = property;
                return next();
            }
            p += length;
            int size = EdmType.ofCode(d[p++]).fixedSize();
            if (size < 0) {
                size = d[p];
                if (size < 0) {
                    size = Bytes.readVarint(d, p);
                    p += Bytes.varintLength(size);
                } else {
                    p++;
                }
            }
            p += size;
        }
        checkInside(p);
        next = p;
        return false;
    }

    private void checkInside(int p) {
        if (p > end) {
            throw new IllegalStateException("A stored row ends inside a property");
        }
    }

    /** Returns whether the current properties of both cursors have the same name. */
    boolean sameName(RowReader other) {
        return nameLength == other.nameLength
                && Arrays.equals(
                        data,
                        nameOffset,
                        nameOffset + nameLength,
                        other.data,
                        other.nameOffset,
                        other.nameOffset + other.nameLength);
    }

    /** Returns the array with the row. The offsets below are offsets in this array. */
    public byte[] data() {
        return data;
    }

    int propertyStart() {
        return propertyStart;
    }

    int propertyEnd() {
        return next;
    }

    public int nameOffset() {
        return nameOffset;
    }

    public int nameLength() {
        return nameLength;
    }

    public String name() {
        return Cesu8.decode(data, nameOffset, nameLength);
    }

    public EdmType type() {
        return type;
    }

    public int valueOffset() {
        return valueOffset;
    }

    public int valueLength() {
        return valueLength;
    }

    public int int32() {
        return Bytes.readInt(data, valueOffset);
    }

    /** Returns the value of an Int64, the ticks of a DateTime, or the first half of a Guid. */
    public long int64() {
        return Bytes.readLong(data, valueOffset);
    }

    public double real() {
        return Double.longBitsToDouble(int64());
    }

    public boolean bool() {
        return data[valueOffset] != 0;
    }

    public EdmValue value() {
        return switch (type) {
            case STRING -> new EdmValue.Text(Cesu8.decode(data, valueOffset, valueLength));
            case INT32 -> new EdmValue.Int32(int32());
            case INT64 -> new EdmValue.Int64(int64());
            case DOUBLE -> new EdmValue.Real(real());
            case BOOLEAN -> new EdmValue.Bool(bool());
            case DATE_TIME -> new EdmValue.DateTime(int64());
            case GUID -> new EdmValue.Guid(int64(), Bytes.readLong(data, valueOffset + 8));
            case BINARY -> new EdmValue.Binary(Arrays.copyOfRange(data, valueOffset, valueOffset + valueLength));
        };
    }
}
