package dev.trestle.server.http;

import dev.trestle.server.pipeline.ResponseBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A body of bytes that repeat, which watches how it is used. */
final class TestBody implements ResponseBody {
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger aliveMost = new AtomicInteger();
    final AtomicInteger asked = new AtomicInteger();
    private final List<ByteBuf> pieces = new ArrayList<>();
    private final long length;
    private final long failAt;
    private long fetched;

    TestBody(long length) {
        this(length, Long.MAX_VALUE);
    }

    /** @param failAt how much can be had of it */
    TestBody(long length, long failAt) {
        this.length = length;
        this.failAt = failAt;
    }

    static byte at(long position) {
        return (byte) (position * 31 + position / 251);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public CompletionStage<ByteBuf> next(int bytesMax) {
        asked.incrementAndGet();
        int bytes = (int) Math.min((long) bytesMax, length - fetched);
        if (fetched + bytes > failAt) {
            return CompletableFuture.failedFuture(new IllegalStateException("Asked to fail"));
        }
        pieces.removeIf(piece -> piece.refCnt() == 0);
        aliveMost.accumulateAndGet(pieces.size() + 1, Math::max);
        long start = fetched;
        fetched += bytes;
        ByteBuf piece = ByteBufAllocator.DEFAULT.directBuffer(bytes);
        pieces.add(piece);
        return CompletableFuture.supplyAsync(() -> {
            for (long i = start; i < start + bytes; i++) {
                piece.writeByte(at(i));
            }
            return piece;
        });
    }

    /** Whether all pieces were given back; to be asked when nobody uses the body any more. */
    boolean isReleased() {
        return pieces.stream().allMatch(piece -> piece.refCnt() == 0);
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }
}
