package dev.trestle.server.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Questions that are asked of eight bytes at once, for the loops that look at every byte of a body. Each is a sum over all
 * of them in which a byte that is meant has its high bit set; a borrow or a carry from it may set that of the next one as
 * well, which changes no answer.
 */
public final class SwarBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private SwarBytes() {}

    /** The bytes from there on, the first as the lowest. */
    public static long at(byte[] data, int offset) {
        return (long) LONG.get(data, offset);
    }

    public static void put(byte[] data, int offset, long bytes) {
        LONG.set(data, offset, bytes);
    }

    /** The first of the bytes, less than eight, with spaces behind them. */
    static long first(int count, long bytes) {
        long others = -1L << (Byte.SIZE * count);
        return (bytes & ~others) | (ONES * ' ' & others);
    }

    /** The eight hexadecimal digits, in lower case, of four bytes, the first of them as the lowest. */
    static long hexadecimal(int bytes) {
        long halves = ((bytes & 0xFFFF_0000L) << 16) | (bytes & 0xFFFFL);
        long apart = ((halves << 8) | halves) & 0x00FF_00FF_00FF_00FFL;
        long digits = ((apart >>> 4) & 0x000F_000F_000F_000FL) | ((apart & 0x000F_000F_000F_000FL) << 8);
        long letters = ((digits + ONES * 6) >>> 4) & ONES;
        return digits + ONES * '0' + letters * ('a' - '0' - 10);
    }

    /** Whether all stand for themselves in a JSON string that is read: ASCII, no control, no quote, no backslash. */
    public static boolean arePlain(long bytes) {
        return (special(bytes) & HIGH_BITS) == 0;
    }

    /** Whether all may be written into a JSON string as they are, which goes for all that are plain but DEL. */
    static boolean arePrintable(long bytes) {
        return ((special(bytes) | (bytes + ONES)) & HIGH_BITS) == 0;
    }

    private static long special(long bytes) {
        // With that bit turned a quote is a space, right behind the controls, which stay among themselves.
        long controlOrQuote = (bytes ^ (ONES * ('"' ^ ' '))) - ONES * (' ' + 1);
        long backslash = (bytes ^ (ONES * '\\')) - ONES;
        return controlOrQuote | backslash | bytes;
    }

    static boolean haveLineFeed(long bytes) {
        long difference = bytes ^ (ONES * '\n');
        return ((difference - ONES) & ~difference & HIGH_BITS) != 0;
    }
}
