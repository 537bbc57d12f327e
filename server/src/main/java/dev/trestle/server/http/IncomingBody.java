package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.pipeline.BufferedBody;
import dev.trestle.server.pipeline.RequestBody;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The body of a request on a connection. May be taken from any thread; its state belongs to an event loop. */
final class IncomingBody implements RequestBody {
    /** The time that bytes between the socket and here may take to come through, once the input has ended. */
    static final long LAST_BYTES_MILLIS = 100;

    private final HttpServerRequest http;
    private final Context context;
    private final TransportContext transport;
    private final ServerLoad load;
    private final Watcher watcher;
    private final OptionalLong declaredLength;
    private final boolean absent;
    private boolean taken;
    private boolean paused;
    private @Nullable BodyDrain drain;
    private @Nullable Collection collection;
    private boolean inputEnded;
    private @Nullable StorageException closed;

    /** Learns, on the event loop, whose turn it is. */
    interface Watcher {
        void received(int bytes);

        /** Nothing can be done until the client has sent more. */
        void waitsForClient();

        /** The server works on what the client has sent, or the client has sent all. */
        void waitsForServer();

        /** The client will send no more, and the body is incomplete. */
        void cutShort();
    }

    IncomingBody(HttpServerRequest http, Context context, TransportContext transport, Watcher watcher) {
        this.http = http;
        this.context = context;
        this.transport = transport;
        this.load = transport.load();
        this.watcher = watcher;
        String length = http.getHeader(HttpFrontEnd.CONTENT_LENGTH);
        boolean chunked = http.getHeader(HttpFrontEnd.TRANSFER_ENCODING) != null;
        this.declaredLength = length == null || chunked ? OptionalLong.empty() : OptionalLong.of(parse(length));
        // The head of an HTTP/2 request need not tell whether a body follows.
        this.absent = length == null && !chunked && http.version() != HttpVersion.HTTP_2;
    }

    /** Makes the client wait until somebody takes the body; to be called in the turn of the event loop that brought it. */
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
            // More digits than any body has bytes; the codec lets nothing else pass.
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
                collection = new Collection(new RequestMemory(load, bytesMax), done);
                collection.start();
            }
        });
        return done;
    }

    @Override
    public CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> taker) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        onLoop(context, () -> {
            if (!mayHaveBytes() && closed == null && !taken) {
                taken = true;
                done.complete(0L);
            } else if (canBeTaken(done)) {
                http.pause();
                drain = new BodyDrain(http, context, transport, declaredLength, taker, watcher, done);
                drain.start(inputEnded);
            }
        });
        return done;
    }

    private boolean canBeTaken(CompletableFuture<?> done) {
        if (closed != null) {
            done.completeExceptionally(closed);
            return false;
        }
        if (taken) {
            done.completeExceptionally(new IllegalStateException("a body can be taken once"));
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

    /** The client has closed its side; what it sent before may still be on its way. */
    void inputEnded() {
        inputEnded = true;
        if (drain != null) {
            drain.inputEnded();
        } else if (collection != null) {
            collection.expectLastBytes();
        }
    }

    /** Whether the client has sent nothing for too long, or takes too long for a body that is collected. */
    boolean isLate(long now) {
        long nanosMax = transport.times().body().toNanos();
        return drain != null ? drain.isStalled(now, nanosMax) : collection != null && collection.isLate(now, nanosMax);
    }

    /** Stops taking the body and frees its memory: the taker gets this failure. Idempotent. */
    void close(StorageException reason) {
        if (closed != null) {
            return;
        }
        closed = reason;
        if (drain != null) {
            drain.fail(reason);
        }
        if (collection != null) {
            collection.close(reason);
        }
    }

    /** Reads on and drops what comes, so that a client that is still sending gets to read the response. */
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

    /** The body on its way into memory. */
    private final class Collection {
        private final RequestMemory memory;
        private final CompletableFuture<Bytes> done;
        private final long startNanos = transport.now();

        Collection(RequestMemory memory, CompletableFuture<Bytes> done) {
            this.memory = memory;
            this.done = done;
        }

        void start() {
            if (!mayHaveBytes()) {
                done.complete(Bytes.NONE);
                return;
            }
            memory.expect((int) declaredLength.orElse(0));
            watcher.waitsForClient();
            http.handler(this::add);
            http.endHandler(end -> finish());
            if (paused) {
                http.resume();
            }
            if (inputEnded) {
                expectLastBytes();
            }
        }

        private void add(Buffer chunk) {
            if (done.isDone()) {
                return;
            }
            watcher.received(chunk.length());
            try {
                memory.add(chunk);
            } catch (StorageException e) {
                watcher.waitsForServer();
                done.completeExceptionally(e);
            }
        }

        private void finish() {
            if (done.isDone()) {
                return;
            }
            watcher.waitsForServer();
            if (memory.length() > BufferedBody.SMALL_BYTES && load.responsesOverflow()) {
                done.completeExceptionally(new StorageException(StorageError.SERVER_BUSY));
            } else {
                done.complete(new Bytes(memory.bytes(), memory.length()));
            }
        }

        void expectLastBytes() {
            if (!done.isDone()) {
                context.owner().setTimer(LAST_BYTES_MILLIS, late -> {
                    if (!done.isDone()) {
                        watcher.cutShort();
                    }
                });
            }
        }

        boolean isLate(long now, long nanosMax) {
            return !done.isDone() && now - startNanos > nanosMax;
        }

        void close(StorageException reason) {
            done.completeExceptionally(reason);
            memory.release();
        }
    }
}
