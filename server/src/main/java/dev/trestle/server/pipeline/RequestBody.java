package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The body of a request. It waits at the client until it is taken, once: as a whole with {@link #collect}, or piece by piece
 * with {@link #drain}.
 */
public interface RequestBody {
    /** The body of a request that has none, such as one in a batch. */
    RequestBody EMPTY = new RequestBody() {
        @Override
        public OptionalLong declaredLength() {
            return OptionalLong.of(0);
        }

        @Override
        public boolean isAbsent() {
            return true;
        }

        @Override
        public CompletionStage<Bytes> collect(int bytesMax) {
            return CompletableFuture.completedFuture(Bytes.NONE);
        }

        @Override
        public CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> taker) {
            return CompletableFuture.completedFuture(0L);
        }
    };

    /** A body in memory: the first {@code length} bytes of an array. */
    record Bytes(byte[] array, int length) {
        public static final Bytes NONE = new Bytes(new byte[0], 0);
    }

    /** The length the client declared; empty when it is only known at the end, or there is no body. */
    OptionalLong declaredLength();

    /** Whether the request says that it has no body, not even an empty one. */
    boolean isAbsent();

    /** Whether bytes may follow. */
    default boolean mayHaveBytes() {
        return !isAbsent() && declaredLength().orElse(-1) != 0;
    }

    /**
     * Takes the whole body into memory.
     *
     * @return completes on the event loop of the request; fails with {@link StorageException} when the body is longer than
     *     {@code bytesMax}, or as {@link #drain} does
     */
    CompletionStage<Bytes> collect(int bytesMax);

    /**
     * Hands the body over in pieces as it arrives. The bytes of a piece stay as they are until the taker's stage completes,
     * and only then it gets the next one; no more than one piece is read ahead. The taker is called on the event loop of the
     * request.
     *
     * @return completes on the event loop with the number of bytes when the body has ended; fails with the failure of the
     *     taker, or with {@link StorageException} when the client goes away, sends nothing for too long, when there is no
     *     memory, or when the request was responded to already. Never completes while the taker has a piece, so that what was
     *     done with them can be undone
     */
    CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> taker);
}
