package dev.trestle.server.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Tests on eight bytes at once (SWAR), for loops over every byte of a body. Each test computes a word in which
 * matching bytes have their high bit set. A borrow or carry may also set the high bit of the byte after a match,
 * which does not change whether any byte matches.
 */
public final class SwarBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private SwarBytes() {}

    /** Reads eight bytes, the first as the lowest. */
    public static long at(byte[] data, int offset) {
        return (long) LONG.get(data, offset);
    }

    public static void put(byte[] data, int offset, long bytes) {
        LONG.set(data, offset, bytes);
    }

    /** Keeps the first bytes, less than eight, and replaces the others by spaces. */
    static long first(int count, long bytes) {
        long others = -1L << (Byte.SIZE * count);
        return (bytes & ~others) | (ONES * ' ' & others);
    }

    /** Returns the eight hexadecimal digits of four bytes in lower case, those of the first byte lowest. */
    static long hexadecimal(int bytes) {
        long halves = ((bytes & 0xFFFF_0000L) << 16) | (bytes & 0xFFFFL);
        long apart = ((halves << 8) | halves) & 0x00FF_00FF_00FF_00FFL;
        long digits = ((apart >>> 4) & 0x000F_000F_000F_000FL) | ((apart & 0x000F_000F_000F_000FL) << 8);
        long letters = ((digits + ONES * 6) >>> 4) & ONES;
        return digits + ONES * '0' + letters * ('a' - '0' - 10);
    }

    /** Whether all need no decoding in a JSON string: ASCII without controls, quotes and backslashes. */
    public static boolean arePlain(long bytes) {
        return (special(bytes) & HIGH_BITS) == 0;
    }

    /** Whether all need no escaping in a JSON string: the plain ones except DEL. */
    static boolean arePrintable(long bytes) {
        return ((special(bytes) | (bytes + ONES)) & HIGH_BITS) == 0;
    }

    private static long special(long bytes) {
        // Flipping this bit turns a quote into a space, the first character after the controls, and maps controls to
        // controls.
        long controlOrQuote = (bytes ^ (ONES * ('"' ^ ' '))) - ONES * (' ' + 1);
        long backslash = (bytes ^ (ONES * '\\')) - ONES;
        return controlOrQuote | backslash | bytes;
    }

    static boolean haveLineFeed(long bytes) {
        long difference = bytes ^ (ONES * '\n');
        return ((difference - ONES) & ~difference & HIGH_BITS) != 0;
    }
}
