package dev.trestle.server.http;

import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.pipeline.BufferedBody;
import dev.trestle.server.pipeline.ResponseBody;
import dev.trestle.server.sockets.VertxInternals;
import io.netty.buffer.ByteBuf;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a body piece by piece as its client reads it, so that few pieces are in memory or between the heap and the socket.
 * Closes the body at the end. Belongs to an event loop.
 */
final class BodySender {
    /** One piece that the client reads, and one for it to go on with. */
    private static final int PIECES_MAX = 2;

    /** The size of a piece that is fetched from elsewhere. */
    static final int PIECE_BYTES = 256 * 1024;

    /** INTERNAL_ERROR of HTTP/2; on HTTP/1.1, which has no such thing, the connection ends. */
    private static final long INTERNAL_ERROR = 2;

    private final HttpServerResponse out;
    private final ResponseBody body;
    private final Context context;
    private final ServerLoad load;
    private final Runnable progress;
    private final Consumer<Throwable> broken;
    private final Promise<Void> done = Promise.promise();

    /** Whether the body is in memory already, where it was counted when it was made. */
    private final boolean buffered;

    private long left;
    private long sent;
    private int inFlight;
    private boolean fetching;
    private boolean stepping;
    private boolean closed;

    /**
     * @param progress called whenever the client has read something, or there is something new for it to read
     * @param broken called when the body cannot be fetched
     */
    BodySender(
            HttpServerResponse out,
            ResponseBody body,
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
        this.buffered = body instanceof BufferedBody;
        this.left = body.length();
    }

    /** How much of the body is known to be on its way. */
    long sent() {
        return sent;
    }

    /** Ends the response after its head; the future completes when that is on its way. */
    Future<Void> sendNothing() {
        close();
        return out.end();
    }

    /**
     * Sends the body after a complete head; the future completes when all is on its way, or never will be, and the body is
     * closed.
     */
    Future<Void> send() {
        out.closeHandler(gone -> done.tryFail("the client is gone"));
        done.future().onComplete(over -> closeIfUnused());
        progress.run();
        step();
        return done.future();
    }

    /** Sends the body from its file; otherwise as {@link #send}. */
    Future<Void> sendFile(ResponseBody.FileRange file) {
        progress.run();
        try {
            if (file.channel().size() < file.position() + left) {
                throw new EOFException("a file is shorter than its content");
            }
        } catch (IOException e) {
            breakOff(e);
            close();
            return done.future();
        }
        // Only the end of the write tells that the file is not in use any longer: not that the client is gone.
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

    /** Sends pieces while there is room for them, without recursion where they are there at once. */
    private void step() {
        if (stepping) {
            return;
        }
        stepping = true;
        while (!fetching && left > 0 && inFlight < piecesMax() && !done.future().isComplete()) {
            CompletableFuture<ByteBuf> next = next();
            if (next.isDone() && !next.isCompletedExceptionally()) {
                fetched(next.join(), null);
            } else {
                fetching = true;
                CompletionStage<ByteBuf> fetch = next;
                fetch.whenComplete((piece, failure) -> context.runOnContext(hop -> {
                    fetching = false;
                    fetched(piece, failure);
                    step();
                }));
            }
        }
        stepping = false;
    }

    private int piecesMax() {
        return !buffered && load.responsesOverflow() ? 1 : PIECES_MAX;
    }

    private CompletableFuture<ByteBuf> next() {
        try {
            return body.next(buffered ? load.pieceBytes() : PIECE_BYTES).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void fetched(@Nullable ByteBuf piece, @Nullable Throwable failure) {
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
        }
    }

    private void write(ByteBuf piece) {
        int bytes = piece.readableBytes();
        left -= bytes;
        inFlight++;
        if (!buffered) {
            load.holdResponse(bytes);
        }
        progress.run();
        Buffer buffer = VertxInternals.buffer(piece);
        Future<Void> written = left == 0 ? out.end(buffer) : out.write(buffer);
        written.onComplete(result -> {
            piece.release();
            if (!buffered) {
                load.releaseResponse(bytes);
            }
            written(bytes, result);
        });
    }

    private void written(int bytes, AsyncResult<Void> result) {
        inFlight--;
        if (result.failed()) {
            done.tryFail(result.cause());
            return;
        }
        sent += bytes;
        progress.run();
        if (left == 0 && inFlight == 0) {
            done.tryComplete();
        } else {
            step();
        }
    }

    /** The head has told the length, so only the end of the connection can tell that the body is not complete. */
    private void breakOff(Throwable failure) {
        broken.accept(failure);
        done.tryFail(failure);
        out.reset(INTERNAL_ERROR);
    }

    private void closeIfUnused() {
        // After a failure the transport may still send from the memory of a buffered body, so that must not be reused:
        // the
        // garbage collector frees it.
        boolean inUse = fetching || (buffered && done.future().failed());
        if (!inUse) {
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
