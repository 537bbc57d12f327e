package dev.trestle.server.pipeline;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A body in memory, in pieces. While {@link DirectBufferPool} has free memory, pieces are outside the heap, from
 * where the socket sends them without a copy.
 */
public final class BufferedBody implements ResponseBody {
    /** The buffers of a socket hold this many bytes, so that a small body rarely waits for its client. */
    public static final int SMALL_BYTES = 32 * 1024;

    private static final int COPY_BYTES = 64 * 1024;

    private final List<ByteBuf> pieces = new ArrayList<>(1);
    private final List<ByteBuffer> pooled = new ArrayList<>(0);
    private int length;
    private ByteBuf unsent = Unpooled.EMPTY_BUFFER;
    private boolean sending;

    /** Adds a piece that must not change afterwards. */
    void add(ByteBuf piece) {
        pieces.add(piece);
        length += piece.readableBytes();
    }

    /** Adds a copy of the first bytes of an array. */
    void addCopy(byte[] bytes, int count) {
        boolean small = pieces.isEmpty() && count <= SMALL_BYTES;
        Optional<ByteBuffer> direct = small ? Optional.empty() : DirectBufferPool.holding(bytes, count);
        direct.ifPresent(pooled::add);
        add(direct.map(Unpooled::wrappedBuffer).orElseGet(() -> Unpooled.wrappedBuffer(Arrays.copyOf(bytes, count))));
    }

    /** Returns the whole body as one buffer. */
    public ByteBuf whole() {
        return pieces.size() == 1 ? pieces.get(0) : Unpooled.wrappedBuffer(pieces.toArray(ByteBuf[]::new));
    }

    @Override
    public long length() {
        return length;
    }

    /** Whether it can be sent in one write, because the socket buffers that much. */
    public boolean isSmall() {
        return length <= SMALL_BYTES;
    }

    /** Whether some of it is in memory that has to be returned by {@link #close}. */
    public boolean isPooled() {
        return !pooled.isEmpty();
    }

    /** Returns the memory it occupies, including the unused rest of each piece. */
    public int heldBytes() {
        return pieces.stream()
                .mapToInt(piece -> piece.hasArray() ? piece.array().length : DirectBufferPool.PIECE_BYTES)
                .sum();
    }

    /**
     * Returns the next bytes in memory outside the heap. Netty itself would first join them on the heap and then
     * copy them to a buffer that is too large for its pool, so that it would be allocated and zeroed each time.
     */
    @Override
    public CompletionStage<ByteBuf> next(int bytesMax) {
        if (!sending) {
            sending = true;
            unsent = whole();
        }
        int bytes = Math.min(bytesMax, unsent.readableBytes());
        CompositeByteBuf piece = ByteBufAllocator.DEFAULT.compositeDirectBuffer(Integer.MAX_VALUE);
        for (ByteBuffer part : unsent.nioBuffers(unsent.readerIndex(), bytes)) {
            if (part.isDirect()) {
                piece.addComponent(true, Unpooled.wrappedBuffer(part));
            } else {
                copy(part, piece);
            }
        }
        unsent.skipBytes(bytes);
        return CompletableFuture.completedFuture(piece);
    }

    private static void copy(ByteBuffer part, CompositeByteBuf piece) {
        while (part.hasRemaining()) {
            int count = Math.min(COPY_BYTES, part.remaining());
            piece.addComponent(
                    true,
                    ByteBufAllocator.DEFAULT
                            .directBuffer(count)
                            .writeBytes(part.slice().limit(count)));
            part.position(part.position() + count);
        }
    }

    /** Frees the memory. */
    @Override
    public void close() {
        pieces.clear();
        unsent = Unpooled.EMPTY_BUFFER;
        pooled.forEach(DirectBufferPool::giveBack);
        pooled.clear();
    }
}
