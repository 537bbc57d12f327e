package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that is served before it has come. It waits at its client until it is asked for, once: as a whole
 * with {@link #collect}, or piece by piece with {@link #drain}, from any thread. Its state belongs to an event loop.
 */
final class IncomingBody {
    private final HttpServerRequest http;
    private final Context context;
    private final ServerLoad load;
    private final Request request;
    private final Watcher watcher;
    private final OptionalLong declaredLength;
    private final boolean absent;
    private @Nullable BodyDrain drain;
    private @Nullable RequestMemory memory;
    private boolean inputEnded;
    private @Nullable StorageException closed;

    /** Told, on the event loop, whose turn it is. */
    interface Watcher {
        void received(int bytes);

        /** Nothing can be done until the client has sent more. */
        void waitsForClient();

        /** What the client has sent is being worked on, or it has sent all. */
        void waitsForServer();

        /** The client will send no more, and the body is not whole. */
        void cutShort();
    }

    /** To be made as soon as the head is there: what is sent from now on waits. */
    IncomingBody(HttpServerRequest http, Context context, ServerLoad load, Request request, Watcher watcher) {
        this.http = http;
        this.context = context;
        this.load = load;
        this.request = request;
        this.watcher = watcher;
        String length = http.getHeader("Content-Length");
        boolean chunked = http.getHeader("Transfer-Encoding") != null;
        this.declaredLength = length == null || chunked ? OptionalLong.empty() : OptionalLong.of(parse(length));
        // The head of an HTTP/2 request need not tell whether a body follows.
        this.absent = length == null && !chunked && http.version() != HttpVersion.HTTP_2;
        if (mayHaveBytes()) {
            http.pause();
        }
    }

    private static long parse(String length) {
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            // More digits than any body has bytes; anything else the codec would not have let pass.
            return Long.MAX_VALUE;
        }
    }

    /** Empty when the length is only known at the end, or there is no body. */
    OptionalLong declaredLength() {
        return declaredLength;
    }

    /** Whether the request says that it has no body, not even an empty one. */
    boolean isAbsent() {
        return absent;
    }

    /** Whether there is something to wait for, and to hold back. */
    boolean mayHaveBytes() {
        return !absent && declaredLength.orElse(-1) != 0;
    }

    /**
     * Takes the body into memory, where the request has it from then on.
     *
     * @return completes on the event loop; fails with {@link StorageException} when the body is longer than this, or as
     *     {@link #drain} does
     */
    CompletionStage<Void> collect(int bytesMax) {
        if (declaredLength.orElse(0) > bytesMax) {
            return CompletableFuture.failedFuture(new StorageException(StorageError.REQUEST_BODY_TOO_LARGE));
        }
        RequestMemory whole = new RequestMemory(load, bytesMax);
        whole.expect((int) declaredLength.orElse(0));
        return start(piece -> add(whole, piece), whole)
                .thenAccept(length -> request.body(whole.bytes(), 0, whole.length()));
    }

    private static CompletionStage<Void> add(RequestMemory whole, ByteBuffer piece) {
        whole.add(BufferInternal.buffer(Unpooled.wrappedBuffer(piece)));
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Hands the body over as it comes, in pieces of up to {@link BodyDrain#PIECE_BYTES}. The bytes of a piece stay as they
     * are until the taker's stage completes, and only then it gets the next one; meanwhile no more than one piece is read
     * ahead. The taker is called on the event loop.
     *
     * @return completes on the event loop with the number of bytes when the body has ended; fails with what the taker
     *     fails with, or with {@link StorageException} when the client goes away, sends nothing for too long or there is
     *     no memory for it, or when the request was answered meanwhile. Never completes while the taker has a piece, so
     *     that what was done with them can be undone.
     */
    CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> taker) {
        return start(taker, null);
    }

    private CompletionStage<Long> start(
            Function<ByteBuffer, CompletionStage<Void>> taker, @Nullable RequestMemory counted) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        BodyDrain.onLoop(context, () -> {
            if (closed != null) {
                done.completeExceptionally(closed);
            } else if (drain != null) {
                done.completeExceptionally(new IllegalStateException("a body can be taken once"));
            } else if (!mayHaveBytes()) {
                done.complete(0L);
            } else {
                memory = counted;
                drain = new BodyDrain(http, context, load, declaredLength, taker, watcher, done);
                drain.start(inputEnded);
            }
        });
        return done;
    }

    /** The client has closed its side; what it has sent before may still be on its way. */
    void inputEnded() {
        inputEnded = true;
        if (drain != null) {
            drain.inputEnded();
        }
    }

    /** Whether the client was to send and has not, for this long. */
    boolean isStalled(long nowNanos, long nanosMax) {
        return drain != null && drain.isStalled(nowNanos, nanosMax);
    }

    /** Nobody will want the body any more: who takes it is told why. May be called again. */
    void close(StorageException reason) {
        if (closed != null) {
            return;
        }
        closed = reason;
        if (drain != null) {
            drain.fail(reason);
        }
        if (memory != null) {
            memory.release();
        }
    }
}
