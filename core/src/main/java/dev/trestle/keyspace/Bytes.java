package dev.trestle.keyspace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers and varints in byte arrays. */
public final class Bytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    public static long readLong(byte[] data, int at) {
        return (long) LONG.get(data, at);
    }

    static void writeLong(byte[] data, int at, long value) {
        LONG.set(data, at, value);
    }

    public static int readInt(byte[] data, int at) {
        return (int) INT.get(data, at);
    }

    static void writeInt(byte[] data, int at, int value) {
        INT.set(data, at, value);
    }

    /**
     * Writes seven bits a byte, least significant first; the high bit is set if more follow.
     *
     * @return the offset after it
     */
    public static int writeVarint(byte[] data, int at, int value) {
        int p = at;
        int rest = value;
        while (rest >= 0x80) {
            data[p++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        data[p++] = (byte) rest;
        return p;
    }

    static int readVarint(byte[] data, int at) {
        int value = 0;
        for (int shift = 0, p = at; shift < 32; shift += 7, p++) {
            byte b = data[p];
            value |= (b & 0x7F) << shift;
            if (b >= 0) {
                if (value < 0) {
                    break;
                }
                return value;
            }
        }
        throw new IllegalStateException("a stored row holds a length that is no varint");
    }

    static int varintLength(int value) {
        int length = 1;
        for (int rest = value >>> 7; rest != 0; rest >>>= 7) {
            length++;
        }
        return length;
    }
}
