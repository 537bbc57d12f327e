package dev.trestle.engine.files;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads or writes what is in the heap a piece at a time. The JDK copies it through memory outside of the heap that it keeps
 * for each thread, as large as the largest piece ever was.
 */
final class ChunkedTransfer {
    private static final int PIECE_BYTES = 1 << 18;

    private ChunkedTransfer() {}

    interface Transfer {
        /** Moves the buffer's position; gives a negative number when there is no more. */
        int apply(ByteBuffer piece) throws IOException;
    }

    /** False when there was no more before the buffer's end. */
    static boolean forEach(ByteBuffer bytes, Transfer transfer) throws IOException {
        int end = bytes.limit();
        try {
            while (bytes.position() < end) {
                int piece = bytes.isDirect() ? end - bytes.position() : Math.min(PIECE_BYTES, end - bytes.position());
                bytes.limit(bytes.position() + piece);
                if (transfer.apply(bytes) < 0) {
                    return false;
                }
            }
            return true;
        } finally {
            bytes.limit(end);
        }
    }
}
