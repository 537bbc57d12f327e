package dev.trestle.server.pipeline;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory outside the heap that large answers are put into, piece by piece, to go to the socket from there. There is
 * little of it, made when it is first needed and used again and again; answers that find none wait on the heap. A piece
 * that is not given back, because its answer came to nothing, is freed by the garbage collector.
 */
public final class DirectBufferPool {
    static final int PIECE_BYTES = 64 * 1024;
    private static final int PIECES_MAX = 128;

    /** All of it. */
    public static final long BYTES = (long) PIECES_MAX * PIECE_BYTES;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final Queue<ByteBuffer> FREE = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger MADE = new AtomicInteger();

    private DirectBufferPool() {}

    /** A piece with these bytes in it; empty where there is no more or they are too many. */
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

    /** Takes a piece back that nobody will look at any more. */
    static void giveBack(ByteBuffer piece) {
        FREE.add(piece);
    }
}
