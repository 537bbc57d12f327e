package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes a body to its consumer in pieces, with back-pressure. The consumer has one piece while the next one is
 * filled. When that is full, or there is no memory for it, the connection is paused. Belongs to an event loop.
 */
final class BodyDrain implements BodyReceiver {
    /** The maximum size of a piece, reached if bytes arrive faster than they are consumed. */
    static final int PIECE_BYTES = 256 * 1024;

    /** The maximum length of a chunk from the codecs. A piece starts with this capacity and grows. */
    private static final int CHUNK_BYTES = 16 * 1024;

    private static final int GROWTH = 4;

    private static final byte[] NONE = {};

    private final HttpServerRequest http;
    private final Context context;
    private final ServerLoad load;
    private final TransportContext transport;
    private final OptionalLong declaredLength;
    private final Function<ByteBuffer, CompletionStage<Void>> consumer;
    private final IncomingBody.Watcher watcher;
    private final CompletableFuture<Long> done;

    private byte[] filling = NONE;
    private int filled;
    private byte[] spare = NONE;
    private long reserved;
    private long received;
    private boolean consuming;
    private boolean stepDue;
    private boolean ended;
    private boolean inputEnded;
    private long waitingSinceNanos;
    private @Nullable Throwable failure;

    BodyDrain(
            HttpServerRequest http,
            Context context,
            TransportContext transport,
            OptionalLong declaredLength,
            Function<ByteBuffer, CompletionStage<Void>> consumer,
            IncomingBody.Watcher watcher,
            CompletableFuture<Long> done) {
        this.http = http;
        this.context = context;
        this.transport = transport;
        this.load = transport.load();
        this.declaredLength = declaredLength;
        this.consumer = consumer;
        this.watcher = watcher;
        this.done = done;
    }

    @Override
    public void start(boolean afterEndOfInput) {
        inputEnded = afterEndOfInput;
        http.handler(this::chunk);
        http.endHandler(end -> {
            ended = true;
            stepSoon();
        });
        step();
    }

    private void chunk(Buffer chunk) {
        if (failure != null) {
            return;
        }
        int total = filled + chunk.length();
        // Capacity is reserved before the connection is resumed; only an unexpectedly long chunk needs more.
        if (total > filling.length && !grow(total)) {
            fail(new StorageException(StorageError.SERVER_BUSY));
            return;
        }
        chunk.getBytes(filling, filled);
        filled = total;
        received += chunk.length();
        waitingSinceNanos = transport.now();
        watcher.received(chunk.length());
        if (!reserveChunk()) {
            http.pause();
        }
        stepSoon();
    }

    /** Continues after all chunks that were already read from the socket. */
    private void stepSoon() {
        if (!stepDue) {
            stepDue = true;
            context.runOnContext(hop -> {
                stepDue = false;
                step();
            });
        }
    }

    private void step() {
        if (consuming || failure != null || done.isDone()) {
            return;
        }
        if (filled > 0) {
            handOver();
        } else if (ended && received != declaredLength.orElse(received)) {
            fail(new IllegalStateException("the body is shorter or longer than its Content-Length"));
        } else if (ended) {
            release();
            watcher.waitsForServer();
            done.complete(received);
        } else if (reserveChunk()) {
            waitForClient();
        } else {
            fail(new StorageException(StorageError.SERVER_BUSY));
        }
    }

    private void waitForClient() {
        waitingSinceNanos = transport.now();
        watcher.waitsForClient();
        http.resume();
        if (inputEnded) {
            expectLastBytes();
        }
    }

    private void handOver() {
        byte[] piece = filling;
        ByteBuffer bytes = ByteBuffer.wrap(piece, 0, filled).slice();
        filling = spare;
        spare = NONE;
        filled = 0;
        consuming = true;
        watcher.waitsForServer();
        if (!ended && reserveChunk()) {
            http.resume();
        }
        CompletionStage<Void> consumed;
        try {
            consumed = consumer.apply(bytes);
        } catch (RuntimeException e) {
            consumed = CompletableFuture.failedFuture(e);
        }
        consumed.whenComplete((nothing, refused) -> IncomingBody.onLoop(context, () -> consumed(piece, refused)));
    }

    private void consumed(byte[] piece, @Nullable Throwable refused) {
        consuming = false;
        if (filling.length == 0) {
            filling = piece;
        } else {
            spare = piece;
        }
        if (failure != null) {
            finishFailed(failure);
        } else if (refused != null) {
            fail(refused);
        } else {
            step();
        }
    }

    /** Reserves memory for one more chunk in the piece that is being filled; returns false if there is none. */
    private boolean reserveChunk() {
        long left = declaredLength.isPresent() ? declaredLength.getAsLong() - received : Long.MAX_VALUE;
        int chunk = (int) Math.min(CHUNK_BYTES, left);
        if (filling.length - filled >= chunk) {
            return true;
        }
        if (filled + chunk > PIECE_BYTES) {
            return false;
        }
        long usual = Math.min(PIECE_BYTES, Math.max(CHUNK_BYTES, (long) filling.length * GROWTH));
        int grown = (int) Math.max(filled + chunk, Math.min(usual, left == Long.MAX_VALUE ? usual : filled + left));
        return grow(grown);
    }

    private boolean grow(int length) {
        int more = length - filling.length;
        if (!load.reservePiece(more)) {
            return false;
        }
        reserved += more;
        filling = Arrays.copyOf(filling, length);
        return true;
    }

    @Override
    public boolean isLate(long nowNanos, long nanosMax) {
        return isWaiting() && nowNanos - waitingSinceNanos > nanosMax;
    }

    private boolean isWaiting() {
        return !consuming && filled == 0 && !ended && failure == null && !done.isDone();
    }

    @Override
    public void inputEnded() {
        inputEnded = true;
        if (isWaiting()) {
            expectLastBytes();
        }
    }

    private void expectLastBytes() {
        long before = received;
        context.owner().setTimer(IncomingBody.LAST_BYTES_MILLIS, late -> {
            if (isWaiting() && received == before) {
                watcher.cutShort();
            }
        });
    }

    @Override
    public void fail(Throwable reason) {
        if (failure != null || done.isDone()) {
            return;
        }
        failure = reason;
        if (!ended && !http.isEnded()) {
            http.pause();
        }
        if (!consuming) {
            finishFailed(reason);
        }
    }

    private void finishFailed(Throwable reason) {
        release();
        watcher.waitsForServer();
        done.completeExceptionally(reason);
    }

    private void release() {
        load.release(reserved);
        reserved = 0;
        filling = NONE;
        spare = NONE;
        filled = 0;
    }
}
