package dev.trestle.server.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Questions that are asked of eight bytes at once, for the loops that look at every byte of a body. Each is a sum over all
 * of them in which a byte that is meant has its high bit set; a borrow or a carry from it may set that of the next one as
 * well, which changes no answer.
 */
final class EightBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private EightBytes() {}

    static long at(byte[] data, int offset) {
        return (long) LONG.get(data, offset);
    }

    /** Whether all stand for themselves in a JSON string that is read: ASCII, no control, no quote, no backslash. */
    static boolean arePlain(long bytes) {
        return (special(bytes) & HIGH_BITS) == 0;
    }

    /** Whether all may be written into a JSON string as they are, which goes for all that are plain but DEL. */
    static boolean arePrintable(long bytes) {
        return ((special(bytes) | (bytes + ONES)) & HIGH_BITS) == 0;
    }

    private static long special(long bytes) {
        long quote = (bytes ^ (ONES * '"')) - ONES;
        long backslash = (bytes ^ (ONES * '\\')) - ONES;
        long control = bytes - ONES * ' ';
        return quote | backslash | control | bytes;
    }

    static boolean haveLineFeed(long bytes) {
        long difference = bytes ^ (ONES * '\n');
        return ((difference - ONES) & ~difference & HIGH_BITS) != 0;
    }
}
