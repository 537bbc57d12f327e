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
 * A body on its way from the socket to its taker, with back-pressure. There are two pieces: one that the taker has, and one
 * that is being filled; when that is full too, or there is no memory for it, the client has to wait. Belongs to an event
 * loop.
 */
final class BodyDrain {
    /** The size of a piece whose bytes arrive faster than they are taken. */
    static final int PIECE_BYTES = 256 * 1024;

    /** The codecs cut bodies into chunks no longer than this. A piece starts with room for one, and grows. */
    private static final int CHUNK_BYTES = 16 * 1024;

    private static final int GROWTH = 4;

    private static final byte[] NONE = {};

    private final HttpServerRequest http;
    private final Context context;
    private final ServerLoad load;
    private final TransportContext transport;
    private final OptionalLong declaredLength;
    private final Function<ByteBuffer, CompletionStage<Void>> taker;
    private final IncomingBody.Watcher watcher;
    private final CompletableFuture<Long> done;

    private byte[] filling = NONE;
    private int filled;
    private byte[] spare = NONE;
    private long reserved;
    private long received;
    private boolean taking;
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
            Function<ByteBuffer, CompletionStage<Void>> taker,
            IncomingBody.Watcher watcher,
            CompletableFuture<Long> done) {
        this.http = http;
        this.context = context;
        this.transport = transport;
        this.load = transport.load();
        this.declaredLength = declaredLength;
        this.taker = taker;
        this.watcher = watcher;
        this.done = done;
    }

    /** @param afterEndOfInput whether only bytes that were read from the socket already can still come */
    void start(boolean afterEndOfInput) {
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
        // Only a chunk longer than expected has no place yet.
        if (total > filling.length && !grow(total)) {
            fail(new StorageException(StorageError.SERVER_BUSY));
            return;
        }
        chunk.getBytes(filling, filled);
        filled = total;
        received += chunk.length();
        waitingSinceNanos = transport.now();
        watcher.received(chunk.length());
        if (!makeRoom()) {
            http.pause();
        }
        stepSoon();
    }

    /** Continues when all chunks that are there now have been added. */
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
        if (taking || failure != null || done.isDone()) {
            return;
        }
        if (filled > 0) {
            handOver();
        } else if (ended && received != declaredLength.orElse(received)) {
            fail(new IllegalStateException("a body is not as long as its head says"));
        } else if (ended) {
            release();
            watcher.waitsForServer();
            done.complete(received);
        } else if (makeRoom()) {
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
        taking = true;
        watcher.waitsForServer();
        if (!ended && makeRoom()) {
            http.resume();
        }
        CompletionStage<Void> taken;
        try {
            taken = taker.apply(bytes);
        } catch (RuntimeException e) {
            taken = CompletableFuture.failedFuture(e);
        }
        taken.whenComplete((nothing, refused) -> IncomingBody.onLoop(context, () -> taken(piece, refused)));
    }

    private void taken(byte[] piece, @Nullable Throwable refused) {
        taking = false;
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

    /** Whether one more chunk has a place in the piece that is being filled. */
    private boolean makeRoom() {
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

    boolean isStalled(long nowNanos, long nanosMax) {
        return isWaiting() && nowNanos - waitingSinceNanos > nanosMax;
    }

    private boolean isWaiting() {
        return !taking && filled == 0 && !ended && failure == null && !done.isDone();
    }

    void inputEnded() {
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

    /** Stops taking the body, with this failure. */
    void fail(Throwable reason) {
        if (failure != null || done.isDone()) {
            return;
        }
        failure = reason;
        if (!ended && !http.isEnded()) {
            http.pause();
        }
        if (!taking) {
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
