package dev.trestle.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.util.function.IntSupplier;

/**
 * A body that is handed to the socket piece by piece, as its client takes it. Whole, it would be copied into memory
 * outside the heap and stay there for as long as the client likes. Belongs to an event loop.
 */
final class LargeAnswer {
    /** Pieces under way: one that the client takes, and one for it to go on with. */
    private static final int PIECES_MAX = 2;

    private static final int POOLED_BYTES = 64 * 1024;

    private final HttpServerResponse out;
    private final IntSupplier pieceBytes;
    private final Runnable progress;
    private final Promise<Void> done = Promise.promise();
    private ByteBuf body;
    private int underWay;
    private boolean writing;

    private LargeAnswer(HttpServerResponse out, ByteBuf body, IntSupplier pieceBytes, Runnable progress) {
        this.out = out;
        this.body = body;
        this.pieceBytes = pieceBytes;
        this.progress = progress;
    }

    /**
     * Writes the body behind a head that is complete; the future completes when all is on its way, or never will be.
     *
     * @param pieceBytes how large a piece may be now
     * @param progress called whenever the client has taken some
     */
    static Future<Void> write(HttpServerResponse out, ByteBuf body, IntSupplier pieceBytes, Runnable progress) {
        LargeAnswer answer = new LargeAnswer(out, body, pieceBytes, progress);
        // Whoever still knows the request would else keep the body with it.
        answer.done.future().onComplete(over -> answer.body = Unpooled.EMPTY_BUFFER);
        out.closeHandler(closed -> answer.done.tryFail("the client is gone"));
        progress.run();
        answer.writeOn();
        return answer.done.future();
    }

    private void writeOn() {
        // A piece may be taken before the call that writes it returns; the loop sees that, without calling itself.
        writing = true;
        while (underWay < PIECES_MAX && body.isReadable() && !done.future().isComplete()) {
            ByteBuf piece = next(Math.min(pieceBytes.getAsInt(), body.readableBytes()));
            BufferInternal bytes = BufferInternal.buffer(piece);
            underWay++;
            Future<Void> written = body.isReadable() ? out.write(bytes) : out.end(bytes);
            written.onComplete(sent -> {
                piece.release();
                taken(sent);
            });
        }
        writing = false;
    }

    /**
     * The next bytes in memory outside the heap, where the socket takes them from. Left to Netty, they would be joined on
     * the heap first, and then copied into memory too large to be pooled, which has to be cleared each time.
     */
    private ByteBuf next(int bytes) {
        CompositeByteBuf piece = ByteBufAllocator.DEFAULT.compositeDirectBuffer(Integer.MAX_VALUE);
        for (ByteBuffer part : body.nioBuffers(body.readerIndex(), bytes)) {
            if (part.isDirect()) {
                piece.addComponent(true, Unpooled.wrappedBuffer(part));
            } else {
                copy(part, piece);
            }
        }
        body.skipBytes(bytes);
        return piece;
    }

    private static void copy(ByteBuffer part, CompositeByteBuf piece) {
        while (part.hasRemaining()) {
            int length = Math.min(POOLED_BYTES, part.remaining());
            piece.addComponent(
                    true,
                    ByteBufAllocator.DEFAULT
                            .directBuffer(length)
                            .writeBytes(part.slice().limit(length)));
            part.position(part.position() + length);
        }
    }

    private void taken(AsyncResult<Void> written) {
        underWay--;
        if (written.failed()) {
            done.tryFail(written.cause());
            return;
        }
        progress.run();
        if (!body.isReadable() && underWay == 0) {
            done.tryComplete();
        } else if (!writing) {
            writeOn();
        }
    }
}
