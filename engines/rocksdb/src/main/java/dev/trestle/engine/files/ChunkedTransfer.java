package dev.trestle.engine.files;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Transfers heap buffers in pieces. The JDK copies heap buffers through a direct buffer that it caches for each
 * thread, as large as the largest transfer so far.
 */
final class ChunkedTransfer {
    private static final int PIECE_BYTES = 1 << 18;

    private ChunkedTransfer() {}

    interface Transfer {
        /** Transfers bytes and advances the position; returns a negative number at the end of the file. */
        int apply(ByteBuffer piece) throws IOException;
    }

    /** Transfers the remaining bytes; returns false if the file ended before. */
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
