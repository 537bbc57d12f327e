package dev.trestle.server.http;

import dev.trestle.server.pipeline.ResponseBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

/** A body of repeating bytes that records how it is used. */
final class TestBody implements ResponseBody {
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger aliveMost = new AtomicInteger();
    final AtomicInteger asked = new AtomicInteger();
    private final List<ByteBuf> pieces = new ArrayList<>();
    private final long length;
    private final long failAt;
    private final boolean onEventLoop;
    private long fetched;

    TestBody(long length) {
        this(length, Long.MAX_VALUE);
    }

    /** @param failAt the bytes that can be fetched */
    TestBody(long length, long failAt) {
        this(length, failAt, false);
    }

    private TestBody(long length, long failAt, boolean onEventLoop) {
        this.length = length;
        this.failAt = failAt;
        this.onEventLoop = onEventLoop;
    }

    /** Returns a body whose pieces are fetched by the event loop that asks for them, in its next turn. */
    static TestBody onEventLoop(long length) {
        return new TestBody(length, Long.MAX_VALUE, true);
    }

    boolean isOnEventLoop() {
        return onEventLoop;
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
        Context context = Vertx.currentContext();
        Executor executor = onEventLoop ? task -> context.runOnContext(turn -> task.run()) : ForkJoinPool.commonPool();
        return CompletableFuture.supplyAsync(
                () -> {
                    for (long i = start; i < start + bytes; i++) {
                        piece.writeByte(at(i));
                    }
                    return piece;
                },
                executor);
    }

    /** Whether all pieces were released. To be called when the body is no longer in use. */
    boolean isReleased() {
        return pieces.stream().allMatch(piece -> piece.refCnt() == 0);
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }
}
