package dev.trestle.engine;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Stores contents that are too large for rows. A content is written once, sequentially, and read at any position.
 * It belongs to a collection of the engine and has a unique name there, which the caller chooses and never reuses.
 *
 * <p>A content is created in three steps, so that a crash at any moment leaves no orphan. First it is written and
 * sealed, which makes it durable. Then the caller commits the row that refers to it, its owner. Finally the
 * content is kept. After a crash, {@link #resolve} asks for each content that was sealed and not kept whether its
 * owner refers to it.
 *
 * <p>A name has 1 to 64 digits, lower-case letters and hyphens; other names throw immediately. All methods are
 * thread-safe and do not block. Stages fail with {@link EngineException} only, {@code CORRUPT} for a content that
 * is missing or too short. They complete on a thread of the store, which dependent stages must not block.
 */
public interface ContentStore extends AutoCloseable {
    /**
     * Creates a content.
     *
     * @param tap receives each piece before it is written, on the thread that writes it; used for digests, which
     *     would block an event loop
     */
    Sink create(long collection, String name, Consumer<ByteBuffer> tap);

    /**
     * Fails with {@code FULL} if so many more bytes would leave too little space for rows. Writing a content may
     * still fail afterwards.
     */
    default CompletionStage<Void> requireRoom(long bytes) {
        return CompletableFuture.completedFuture(null);
    }

    /** A content being written, by one caller at a time. After a failed call, all later ones fail. */
    interface Sink {
        /** Appends bytes. The sink owns the buffer until the stage completes; the next call must wait for that. */
        CompletionStage<Void> write(ByteBuffer bytes);

        /**
         * Completes the content and makes it durable.
         *
         * @param owner the key of the row that will refer to it
         */
        CompletionStage<Void> seal(byte[] owner);

        /** Discards the content, unless it is sealed. May be called during a write. */
        void abandon();
    }

    /**
     * Marks a sealed content as kept, after its owner was committed. It is as readable and as durable before, so
     * nobody needs to wait for this.
     */
    CompletionStage<Void> keep(long collection, String name);

    /** Opens a sealed content; fails if there is none. */
    CompletionStage<Source> open(long collection, String name);

    /** A content being read. If the store supports it, it stays readable after it was deleted. */
    interface Source extends AutoCloseable {
        /** Fills the buffer from a position; fails if the content ends before. */
        CompletionStage<Void> read(long position, ByteBuffer into);

        /**
         * Reads the first bytes of the content, in pieces, on one thread of the store; fails if there are fewer.
         */
        default CompletionStage<Void> readAll(long length, Consumer<ByteBuffer> seen) {
            ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(length));
            return read(0, all).thenAccept(read -> seen.accept(all.flip()));
        }

        /** Returns a value that changes if the file of the content is written to again; 0 if unknown. */
        default long stamp() {
            return 0;
        }

        /** Returns the local file whose first bytes are the content, if there is one, for zero-copy transfer. */
        Optional<FileChannel> file();

        @Override
        void close();
    }

    /**
     * Copies a sealed content to a new sealed one, by reference if the store supports it; see {@link Sink#seal}.
     */
    CompletionStage<Void> copy(long collection, String name, long toCollection, String toName, byte[] owner);

    /** Deletes a content, if it exists. */
    CompletionStage<Void> delete(long collection, String name);

    /**
     * Deletes all contents of a collection, kept or sealed. From now on, keeping one of them deletes it; a
     * collection is never reused. If the process stops before the stage completes, the call must be repeated. The
     * store keeps the collection in memory until {@link #release}.
     */
    CompletionStage<Void> drop(long collection);

    /** Evicts a dropped collection from memory. Called when no operation in flight refers to it. */
    default void release(long collection) {}

    /**
     * Recovers the contents that a terminated process has not kept: keeps those that an owner refers to, and
     * deletes the others. Skips contents in flight in this process and, if other processes share the store, recent
     * ones.
     */
    CompletionStage<Void> resolve(Reference reference);

    /** Looks up whether an owner refers to a content. */
    @FunctionalInterface
    interface Reference {
        CompletionStage<Boolean> holds(byte[] owner, long collection, String name);
    }

    /** Lists the names of all kept contents, on a thread of the store. */
    CompletionStage<Void> names(long collection, Consumer<String> seen);

    @Override
    void close();
}
