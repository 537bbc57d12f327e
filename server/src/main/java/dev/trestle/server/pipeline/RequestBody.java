package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The body of a request. It is not read from the socket until it is taken, which is possible once: as a whole with
 * {@link #collect}, or in pieces with {@link #drain}.
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
        public CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> consumer) {
            return CompletableFuture.completedFuture(0L);
        }
    };

    /** A body in memory: the first {@code length} bytes of an array. */
    record Bytes(byte[] array, int length) {
        public static final Bytes NONE = new Bytes(new byte[0], 0);
    }

    /** The Content-Length; empty if the length is only known at the end, or there is no body. */
    OptionalLong declaredLength();

    /** Whether the request declares no body, not even an empty one. */
    boolean isAbsent();

    /** Whether bytes may follow. */
    default boolean mayHaveBytes() {
        return !isAbsent() && declaredLength().orElse(-1) != 0;
    }

    /**
     * Collects the whole body in memory.
     *
     * @return completes on the event loop of the request; fails with {@link StorageException} if the body is
     *     longer than {@code bytesMax}, or like {@link #drain}
     */
    CompletionStage<Bytes> collect(int bytesMax);

    /**
     * Passes the body to a consumer in pieces as it arrives, with back-pressure. A piece stays unchanged until the
     * consumer's stage completes, and only then the consumer gets the next one. At most one piece is read ahead.
     * The consumer is called on the event loop of the request.
     *
     * @return completes on the event loop with the number of bytes at the end of the body. Fails with the failure
     *     of the consumer, or with {@link StorageException} if the client closes the connection or sends nothing
     *     for too long, if the memory is exhausted, or if the request already has its response. Never completes
     *     while the consumer has a piece, so that the effects can be undone
     */
    CompletionStage<Long> drain(Function<ByteBuffer, CompletionStage<Void>> consumer);
}
