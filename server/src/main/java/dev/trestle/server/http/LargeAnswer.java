package dev.trestle.server.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * A body that is handed to the socket piece by piece, as its client takes it. Whole, it would be copied into memory
 * outside the heap and stay there for as long as the client likes. Belongs to an event loop.
 */
final class LargeAnswer {
    private static final int PIECE_BYTES = 32 * 1024;
    private static final byte[] NO_BODY = {};

    private final HttpServerResponse out;
    private final int length;
    private final Runnable progress;
    private final Promise<Void> done = Promise.promise();
    private byte[] body;
    private int sent;

    private LargeAnswer(HttpServerResponse out, byte[] body, int length, Runnable progress) {
        this.out = out;
        this.body = body;
        this.length = length;
        this.progress = progress;
    }

    /**
     * Writes the body behind a head that is complete; the future completes when all is on its way, or never will be.
     *
     * @param progress called whenever the client has taken some
     */
    static Future<Void> write(HttpServerResponse out, byte[] body, int length, Runnable progress) {
        LargeAnswer answer = new LargeAnswer(out, body, length, progress);
        // Whoever still knows the request would else keep the body with it.
        answer.done.future().onComplete(over -> answer.body = NO_BODY);
        out.closeHandler(closed -> answer.done.tryFail("the client is gone"));
        out.drainHandler(drained -> answer.writeOn());
        answer.writeOn();
        return answer.done.future();
    }

    private void writeOn() {
        progress.run();
        while (sent < length && !done.future().isComplete() && !out.writeQueueFull()) {
            int piece = Math.min(PIECE_BYTES, length - sent);
            out.write(BufferInternal.buffer(Unpooled.wrappedBuffer(body, sent, piece)))
                    .onFailure(done::tryFail);
            sent += piece;
        }
        if (sent == length && !out.ended() && !done.future().isComplete()) {
            out.end().onSuccess(done::tryComplete).onFailure(done::tryFail);
        }
    }
}
