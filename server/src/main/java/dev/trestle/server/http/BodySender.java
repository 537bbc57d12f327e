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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the body of a response and closes it. A small body in memory is written at once; any other is sent in
 * pieces as its client reads them, so that few pieces are in memory, or by the kernel from its file. Belongs to an
 * event loop.
 */
final class BodySender {
    /** The pieces in flight: the one that the client reads, and the next. */
    private static final int PIECES_MAX = 2;

    /** The size of a piece of a body that is not in memory. */
    static final int PIECE_BYTES = 256 * 1024;

    /** INTERNAL_ERROR of HTTP/2; over HTTP/1.1 the connection is closed. */
    private static final long INTERNAL_ERROR = 2;

    private final HttpServerResponse out;
    private final ResponseBody body;
    private final Context context;
    private final ServerLoad load;
    private final Runnable progress;
    private final Consumer<Throwable> broken;
    private final Promise<Void> done = Promise.promise();

    /** Whether the body is in memory, which was counted when it was rendered. */
    private final boolean buffered;

    private long left;
    private long sent;
    private int inFlight;
    private boolean fetching;
    private boolean stepping;
    private boolean closed;

    /**
     * @param progress called when the client has read something, or can read something new
     * @param broken called when the body cannot be read
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

    /** Returns the bytes of a streamed body that were written to the socket. */
    long sent() {
        return sent;
    }

    /** Ends the response without a body; the future completes when its head was written to the socket. */
    Future<Void> sendNothing() {
        close();
        return out.end();
    }

    /**
     * Sends the body after a complete head. The future completes when all of it was written to the socket, or
     * fails; the body is closed by then.
     *
     * @param byKernel whether the kernel may send a file
     */
    Future<Void> send(boolean byKernel) {
        if (body instanceof BufferedBody small && small.isSmall()) {
            return sendWhole(small);
        }
        Optional<ResponseBody.FileRange> file = byKernel ? body.file() : Optional.empty();
        return file.isPresent() ? sendFile(file.get()) : sendPieces();
    }

    /** Sends the body with the head in one write: the socket buffers that much, so there is no client to wait for. */
    private Future<Void> sendWhole(BufferedBody small) {
        Future<Void> written = out.end(VertxInternals.buffer(small.whole()));
        return small.isPooled() ? written.onComplete(sent -> close()) : written;
    }

    private Future<Void> sendPieces() {
        out.closeHandler(gone -> done.tryFail("the client closed the connection"));
        done.future().onComplete(over -> closeIfUnused());
        progress.run();
        step();
        return done.future();
    }

    private Future<Void> sendFile(ResponseBody.FileRange file) {
        progress.run();
        try {
            if (file.channel().size() < file.position() + left) {
                throw new EOFException("the file is shorter than the content it should hold");
            }
        } catch (IOException e) {
            breakOff(e);
            close();
            return done.future();
        }
        // The file is in use until the write ends, even after the client has closed the connection.
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

    /** Sends pieces up to the limit in flight; loops over pieces that are complete at once, rather than recursing. */
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
            breakOff(failure == null ? new IllegalStateException("the body ended before its length") : failure);
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

    /** Resets the stream or closes the connection. After Content-Length there is no other way to signal a failure. */
    private void breakOff(Throwable failure) {
        broken.accept(failure);
        done.tryFail(failure);
        out.reset(INTERNAL_ERROR);
    }

    private void closeIfUnused() {
        // After a failure the transport may still send from pooled memory, which must not be reused; the garbage
        // collector frees it.
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
