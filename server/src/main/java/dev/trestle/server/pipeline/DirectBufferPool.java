package dev.trestle.server.pipeline;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded pool of direct buffers for large responses, which the socket sends without a copy. Buffers are
 * allocated on demand and reused. If none is free, a response stays on the heap. A buffer that is not returned is
 * freed by the garbage collector. Thread-safe.
 */
public final class DirectBufferPool {
    static final int PIECE_BYTES = 64 * 1024;
    private static final int PIECES_MAX = 128;

    /** The total capacity. */
    public static final long BYTES = (long) PIECES_MAX * PIECE_BYTES;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final Queue<ByteBuffer> FREE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger MADE = new AtomicInteger();

    private DirectBufferPool() {}

    /** Returns a buffer with these bytes; empty if none is free or there are too many bytes. */
    static Optional<ByteBuffer> holding(byte[] bytes, int length) {
        return length > PIECE_BYTES
                ? Optional.empty()
                : take().map(piece -> piece.clear().put(bytes, 0, length).flip());
    }

    private static Optional<ByteBuffer> take() {
        ByteBuffer free = FREE.poll();
        if (free != null) {
            return Optional.of(free);
        }
        if (MADE.incrementAndGet() > PIECES_MAX) {
            MADE.decrementAndGet();
            return Optional.empty();
        }
        ByteBuffer made = ByteBuffer.allocateDirect(PIECE_BYTES);
        CLEANER.register(made, MADE::decrementAndGet);
        return Optional.of(made);
    }

    /** Returns a buffer that is no longer used to the pool. */
    static void giveBack(ByteBuffer piece) {
        FREE.add(piece);
    }
}
