package dev.trestle.server.http;

import io.netty.buffer.ByteBuf;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A body that is fetched while its client takes it: a piece is asked for when there is room for it among the few that may
 * be in memory. Closes the body when it is through with it. Belongs to an event loop.
 */
final class StreamedAnswer {
    /** Pieces in memory: one that the client takes, and one for it to go on with. */
    private static final int PIECES_MAX = 2;

    /** "INTERNAL_ERROR" of HTTP/2; on HTTP/1.1, which has no such thing, the connection ends. */
    private static final long BROKEN_OFF = 2;

    private final HttpServerResponse out;
    private final OutgoingBody body;
    private final Context context;
    private final ServerLoad load;
    private final Runnable progress;
    private final Consumer<Throwable> broken;
    private final Promise<Void> done = Promise.promise();
    private long left;
    private long sent;
    private int underWay;
    private boolean asking;
    private boolean closed;

    /**
     * @param progress called whenever the client has taken some, or there is something new for it to take
     * @param broken called when the body cannot be fetched
     */
    StreamedAnswer(
            HttpServerResponse out,
            OutgoingBody body,
            Context context,
            ServerLoad load,
            Runnable progress,
            Consumer<Throwable> broken) {
        this.out = out;
        this.body = body;
        this.context = context;
        this.load = load;
        this.progress = progress;
        this.broken = broken;
        this.left = body.length();
    }

    /** How much of the body is known to be on its way. */
    long sent() {
        return sent;
    }

    /** Ends the answer behind a head that is complete; the future completes when that is on its way. */
    Future<Void> sendNothing() {
        close();
        return out.end();
    }

    /**
     * Sends the body behind a head that is complete; the future completes when all is on its way, or never will be, and
     * the body is closed.
     */
    Future<Void> send() {
        out.closeHandler(gone -> done.tryFail("the client is gone"));
        done.future().onComplete(over -> closeIfUnused());
        progress.run();
        ask();
        return done.future();
    }

    /** Sends the body from where it lies; otherwise as {@link #send}. */
    Future<Void> sendFile(OutgoingBody.FileRange file) {
        progress.run();
        try {
            if (file.channel().size() < file.position() + left) {
                throw new EOFException("a file is shorter than what it should hold");
            }
        } catch (IOException e) {
            breakOff(e);
            close();
            return done.future();
        }
        // Only the end of the writing tells that the file is not used any more: not that the client is gone.
        out.sendFile(file.channel(), file.position(), left).onComplete(written -> {
            close();
            if (written.succeeded()) {
                sent = left;
                done.tryComplete();
            } else {
                done.tryFail(written.cause());
            }
        });
        return done.future();
    }

    private void ask() {
        int most = load.answersOverflow() ? 1 : PIECES_MAX;
        if (asking || left == 0 || underWay >= most || done.future().isComplete()) {
            return;
        }
        asking = true;
        CompletionStage<ByteBuf> next;
        try {
            next = body.next();
        } catch (RuntimeException e) {
            next = CompletableFuture.failedFuture(e);
        }
        // Always later: pieces that are there at once would else nest without end.
        next.whenComplete((piece, failure) -> context.runOnContext(hop -> fetched(piece, failure)));
    }

    private void fetched(@Nullable ByteBuf piece, @Nullable Throwable failure) {
        asking = false;
        if (done.future().isComplete()) {
            if (piece != null) {
                piece.release();
            }
            closeIfUnused();
        } else if (piece == null) {
            breakOff(failure == null ? new IllegalStateException("a piece is missing") : failure);
        } else if (!piece.isReadable() || piece.readableBytes() > left) {
            piece.release();
            breakOff(new IllegalStateException("the pieces of a body do not add up to its length"));
        } else {
            write(piece);
            ask();
        }
    }

    private void write(ByteBuf piece) {
        int bytes = piece.readableBytes();
        left -= bytes;
        underWay++;
        load.waiting(bytes);
        progress.run();
        BufferInternal buffer = BufferInternal.buffer(piece);
        Future<Void> written = left == 0 ? out.end(buffer) : out.write(buffer);
        written.onComplete(result -> {
            piece.release();
            load.taken(bytes);
            taken(bytes, result);
        });
    }

    private void taken(int bytes, AsyncResult<Void> written) {
        underWay--;
        if (written.failed()) {
            done.tryFail(written.cause());
            return;
        }
        sent += bytes;
        progress.run();
        if (left == 0 && underWay == 0) {
            done.tryComplete();
        } else {
            ask();
        }
    }

    /** The head has said how long the body is, so that only the end of the connection can tell that it is not. */
    private void breakOff(Throwable failure) {
        broken.accept(failure);
        done.tryFail(failure);
        out.reset(BROKEN_OFF);
    }

    private void closeIfUnused() {
        if (!asking) {
            close();
        }
    }

    private void close() {
        if (!closed) {
            closed = true;
            body.close();
        }
    }
}
