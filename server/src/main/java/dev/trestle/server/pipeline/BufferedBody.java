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
 * A body in memory, in the pieces it was written in. Pieces lie outside the heap while {@link DirectBufferPool} has room, from
 * where the socket takes them without a copy.
 */
public final class BufferedBody implements ResponseBody {
    /** The buffers of a socket take as much, so that such a body never waits for its client for long. */
    public static final int SMALL_BYTES = 32 * 1024;

    private static final int COPY_BYTES = 64 * 1024;

    private final List<ByteBuf> pieces = new ArrayList<>(1);
    private final List<ByteBuffer> pooled = new ArrayList<>(0);
    private int length;
    private ByteBuf unsent = Unpooled.EMPTY_BUFFER;
    private boolean sending;

    /** Adds a piece that is not written to any more. */
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

    /** The whole body as one buffer. */
    public ByteBuf whole() {
        return pieces.size() == 1 ? pieces.get(0) : Unpooled.wrappedBuffer(pieces.toArray(ByteBuf[]::new));
    }

    @Override
    public long length() {
        return length;
    }

    public boolean isSmall() {
        return length <= SMALL_BYTES;
    }

    /** The memory it occupies, including the part of each piece that it does not fill. */
    public int heldBytes() {
        return pieces.stream()
                .mapToInt(piece -> piece.hasArray() ? piece.array().length : DirectBufferPool.PIECE_BYTES)
                .sum();
    }

    /**
     * Returns the next bytes in memory outside the heap. Left to Netty, they would be joined on the heap first, and then
     * copied into memory too large to be pooled, which has to be cleared each time.
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

    /** Frees the memory: all of the body was sent, or none of it will be. */
    @Override
    public void close() {
        pieces.clear();
        unsent = Unpooled.EMPTY_BUFFER;
        pooled.forEach(DirectBufferPool::giveBack);
        pooled.clear();
    }
}
