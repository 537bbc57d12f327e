package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.pipeline.RequestBody;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The body of a request on a connection. Any thread may request it; its state belongs to an event loop. */
final class IncomingBody implements RequestBody {
    /** The maximum time from the end of the input until bytes already read from the socket arrive here. */
    static final long LAST_BYTES_MILLIS = 100;

    private final HttpServerRequest http;
    private final Context context;
    private final TransportContext transport;
    private final Watcher watcher;
    private final OptionalLong declaredLength;
    private final boolean absent;
    private boolean taken;
    private boolean paused;
    private @Nullable BodyReceiver receiver;
    private boolean inputEnded;
    private @Nullable StorageException closed;

    /** Tracks, on the event loop, whether the request waits for its client or for the server. */
    interface Watcher {
        void received(int bytes);

        /** The request cannot continue until the client has sent more. */
        void waitsForClient();

        /** The server processes what the client has sent, or the body is complete. */
        void waitsForServer();

        /** The body is incomplete, and the client will send no more. */
        void cutShort();
    }

    IncomingBody(HttpServerRequest http, Context context, TransportContext transport, Watcher watcher) {
        this.http = http;
        this.context = context;
        this.transport = transport;
        this.watcher = watcher;
        String length = http.getHeader(HttpFrontEnd.CONTENT_LENGTH);
        boolean chunked = http.getHeader(HttpFrontEnd.TRANSFER_ENCODING) != null;
        this.declaredLength = length == null || chunked ? OptionalLong.empty() : OptionalLong.of(parse(length));
        // The headers of an HTTP/2 request need not tell whether a body follows.
        this.absent = length == null && !chunked && http.version() != HttpVersion.HTTP_2;
    }

    /**
     * Pauses the client until a handler takes the body. Must be called in the event loop task that received the
     * request.
     */
    void holdBack() {
        if (mayHaveBytes() && !taken) {
            http.pause();
            paused = true;
        }
    }

    private static long parse(String length) {
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            // The codec admits only digits, so the length is too large for a long.
            return Long.MAX_VALUE;
        }
    }

    @Override
    public OptionalLong declaredLength() {
        return declaredLength;
    }

    @Override
    public boolean isAbsent() {
        return absent;
    }

    @Override
    public CompletionStage<Bytes> collect(int bytesMax) {
        if (declaredLength.orElse(0) > bytesMax) {
            return CompletableFuture.failedFuture(new StorageException(StorageError.REQUEST_BODY_TOO_LARGE));
        }
        CompletableFuture<Bytes> done = new CompletableFuture<>();
        onLoop(context, () -> {
            if (canBeTaken(done)) {
                if (mayHaveBytes()) {
                    receive(new BodyCollector(http, context, transport, declaredLength, bytesMax, watcher, done));
                    if (paused) {
                        http.resume();
                    }
                } else {
                    done.complete(Bytes.NONE);
                }
            }
        });
        return done;
    }

    @Override
    public CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> taker) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        onLoop(context, () -> {
            if (canBeTaken(done)) {
                if (mayHaveBytes()) {
                    http.pause();
                    receive(new BodyDrain(http, context, transport, declaredLength, taker, watcher, done));
                } else {
                    done.complete(0L);
                }
            }
        });
        return done;
    }

    private void receive(BodyReceiver by) {
        receiver = by;
        by.start(inputEnded);
    }

    private boolean canBeTaken(CompletableFuture<?> done) {
        if (closed != null) {
            done.completeExceptionally(closed);
            return false;
        }
        if (taken) {
            done.completeExceptionally(new IllegalStateException("the body was taken before"));
            return false;
        }
        taken = true;
        return true;
    }

    static void onLoop(Context context, Runnable task) {
        if (Vertx.currentContext() == context) {
            task.run();
        } else {
            context.runOnContext(hop -> task.run());
        }
    }

    /** The client has closed its side; what it sent before may still arrive. */
    void inputEnded() {
        inputEnded = true;
        if (receiver != null) {
            receiver.inputEnded();
        }
    }

    /** Whether the client takes too long to send what is missing. */
    boolean isLate(long now) {
        return receiver != null && receiver.isLate(now, transport.times().body().toNanos());
    }

    /** Stops receiving the body and frees its memory; the consumer gets this failure. Idempotent. */
    void close(StorageException reason) {
        if (closed != null) {
            return;
        }
        closed = reason;
        if (receiver != null) {
            receiver.fail(reason);
        }
    }

    /** Reads and discards the rest of the body, so that a client that is still sending reads the response. */
    static void discard(HttpServerRequest http) {
        if (http.isEnded()) {
            return;
        }
        long[] discarded = {0};
        http.handler(chunk -> {
            discarded[0] += chunk.length();
            if (discarded[0] > HttpLimits.DISCARDED_BYTES_MAX) {
                http.connection().close();
            }
        });
        http.endHandler(end -> {});
        http.resume();
    }
}
