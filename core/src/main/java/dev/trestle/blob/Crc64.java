package dev.trestle.blob;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Computes the checksum that the service calls CRC64, also known as CRC-64/NVME, of a stream of bytes. Not
 * thread-safe.
 *
 * <p>Slicing-by-16, with one table per byte position: M. Kounavis and F. Berry, "Novel Table Lookup-Based
 * Algorithms for High-Performance CRC Generation". Two checksums are combined as in zlib: followed by n more
 * bytes, the first one is multiplied by x<sup>8n</sup>, modulo the polynomial.
 */
public final class Crc64 {
    /** The coefficient of x<sup>63</sup> is in the lowest bit, as in all polynomials here. */
    private static final long POLYNOMIAL = 0x9A6C9329AC4BC9B5L;

    private static final long ONE = 1L << 63;
    private static final long X_TO_8 = ONE >>> 8;

    private static final int STRIDE = 16;
    private static final int COPIED_BYTES = 8192;
    private static final long[][] TABLES = tables();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private long remainder = -1;

    public void update(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        long now = remainder;
        int at = offset;
        int end = offset + length;
        for (; end - at >= STRIDE; at += STRIDE) {
            now = step(now ^ (long) LONG.get(bytes, at), (long) LONG.get(bytes, at + Long.BYTES));
        }
        for (; at < end; at++) {
            now = step(now, bytes[at]);
        }
        remainder = now;
    }

    /** Adds the remaining bytes and moves the position to the limit. */
    public void update(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
            return;
        }
        // Copied, because reads from an array are several times faster than reads from off-heap memory.
        byte[] piece = new byte[Math.min(bytes.remaining(), COPIED_BYTES)];
        while (bytes.hasRemaining()) {
            int length = Math.min(piece.length, bytes.remaining());
            bytes.get(piece, 0, length);
            update(piece, 0, length);
        }
    }

    /** Returns the checksum of all bytes so far. */
    public long value() {
        return ~remainder;
    }

    /** Returns the bytes of a checksum in the order of the protocol, which sends them in base64. */
    public static byte[] littleEndian(long crc) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(crc)
                .array();
    }

    /** Returns the checksum of the concatenation of two pieces, given the checksum of each. */
    public static long combine(long crcA, long crcB, long lengthB) {
        if (lengthB < 0) {
            throw new IllegalArgumentException("A length cannot be negative: " + lengthB);
        }
        long shift = ONE;
        long power = X_TO_8;
        for (long left = lengthB; left != 0; left >>>= 1) {
            if ((left & 1) != 0) {
                shift = multiply(shift, power);
            }
            power = multiply(power, power);
        }
        return multiply(shift, crcA) ^ crcB;
    }

    private static long multiply(long a, long b) {
        long product = 0;
        long shifted = b;
        for (long bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shifted;
            }
            shifted = timesX(shifted);
        }
        return product;
    }

    private static long timesX(long a) {
        return (a & 1) == 0 ? a >>> 1 : a >>> 1 ^ POLYNOMIAL;
    }

    private static long step(long now, byte next) {
        return TABLES[0][(int) (now ^ next) & 0xFF] ^ now >>> 8;
    }

    private static long step(long first, long second) {
        return TABLES[15][(int) first & 0xFF]
                ^ TABLES[14][(int) (first >>> 8) & 0xFF]
                ^ TABLES[13][(int) (first >>> 16) & 0xFF]
                ^ TABLES[12][(int) (first >>> 24) & 0xFF]
                ^ TABLES[11][(int) (first >>> 32) & 0xFF]
                ^ TABLES[10][(int) (first >>> 40) & 0xFF]
                ^ TABLES[9][(int) (first >>> 48) & 0xFF]
                ^ TABLES[8][(int) (first >>> 56)]
                ^ TABLES[7][(int) second & 0xFF]
                ^ TABLES[6][(int) (second >>> 8) & 0xFF]
                ^ TABLES[5][(int) (second >>> 16) & 0xFF]
                ^ TABLES[4][(int) (second >>> 24) & 0xFF]
                ^ TABLES[3][(int) (second >>> 32) & 0xFF]
                ^ TABLES[2][(int) (second >>> 40) & 0xFF]
                ^ TABLES[1][(int) (second >>> 48) & 0xFF]
                ^ TABLES[0][(int) (second >>> 56)];
    }

    /** Table n has the remainder of each byte followed by n zero bytes. */
    private static long[][] tables() {
        long[][] tables = new long[STRIDE][256];
        for (int value = 0; value < 256; value++) {
            long remainder = value;
            for (int bit = 0; bit < 8; bit++) {
                remainder = timesX(remainder);
            }
            tables[0][value] = remainder;
        }
        for (int table = 1; table < STRIDE; table++) {
            for (int value = 0; value < 256; value++) {
                long before = tables[table - 1][value];
                tables[table][value] = tables[0][(int) before & 0xFF] ^ before >>> 8;
            }
        }
        return tables;
    }
}
