package dev.trestle.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * A body that is handed to the socket piece by piece, as its client takes it. Whole, it would be copied into memory
 * outside the heap and stay there for as long as the client likes. Belongs to an event loop.
 */
final class LargeAnswer {
    private static final int PIECE_BYTES = 64 * 1024;

    private final HttpServerResponse out;
    private Iterator<ByteBuf> pieces;
    private final Runnable progress;
    private final Promise<Void> done = Promise.promise();
    private ByteBuf piece = Unpooled.EMPTY_BUFFER;

    private LargeAnswer(HttpServerResponse out, List<ByteBuf> pieces, Runnable progress) {
        this.out = out;
        this.pieces = pieces.iterator();
        this.progress = progress;
    }

    /**
     * Writes the body behind a head that is complete; the future completes when all is on its way, or never will be.
     *
     * @param progress called whenever the client has taken some
     */
    static Future<Void> write(HttpServerResponse out, List<ByteBuf> pieces, Runnable progress) {
        LargeAnswer answer = new LargeAnswer(out, pieces, progress);
        // Whoever still knows the request would else keep the body with it.
        answer.done.future().onComplete(over -> answer.forget());
        out.closeHandler(closed -> answer.done.tryFail("the client is gone"));
        out.drainHandler(drained -> answer.writeOn());
        answer.writeOn();
        return answer.done.future();
    }

    private void writeOn() {
        progress.run();
        while (hasMore() && !done.future().isComplete() && !out.writeQueueFull()) {
            out.write(BufferInternal.buffer(piece.readSlice(Math.min(PIECE_BYTES, piece.readableBytes()))))
                    .onFailure(done::tryFail);
        }
        if (!hasMore() && !out.ended() && !done.future().isComplete()) {
            out.end().onSuccess(done::tryComplete).onFailure(done::tryFail);
        }
    }

    private void forget() {
        pieces = Collections.emptyIterator();
        piece = Unpooled.EMPTY_BUFFER;
    }

    private boolean hasMore() {
        while (!piece.isReadable() && pieces.hasNext()) {
            piece = pieces.next();
        }
        return piece.isReadable();
    }
}
