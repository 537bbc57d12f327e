package dev.trestle.engine;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Contents too large for rows: each is written once, from its start to its end, and read in any order. A content belongs
 * to a collection of the engine and has a name of its own there, drawn by the caller and never used again.
 *
 * <p>A content is made in three steps, so that a stop at any moment leaves none that nobody knows of: it is written and
 * sealed, which makes it durable; the caller commits the row that refers to it, its owner; and the content is kept. What
 * was sealed but not kept when the process ended is settled by {@link #resolve} at the next start, which asks whether the
 * owner refers to it.
 *
 * <p>A name has 1 to 64 digits, lower case letters and hyphens; any other is a bad argument and throws at once. All methods
 * may be called from any thread and never block it. Stages complete exceptionally with {@link EngineException} only, which
 * says {@code CORRUPT} for a content that is missing or too short, on a thread of the store's choice, where the caller must
 * not block.
 */
public interface ContentStore extends AutoCloseable {
    /**
     * Begins a content.
     *
     * @param tap shown each piece, on the thread that writes it and before it is written, with the position at its start;
     *     for digests, which are work that no event loop should do
     */
    Sink create(long collection, String name, Consumer<ByteBuffer> tap);

    /**
     * Fails with {@code FULL} when so many more bytes would leave no room for the rows beside them. A content may still be
     * refused while it is written.
     */
    default CompletionStage<Void> requireRoom(long bytes) {
        return CompletableFuture.completedFuture(null);
    }

    /** A content that is being written, by one caller at a time. Once a call has failed, all later ones do. */
    interface Sink {
        /** Adds bytes, which are the sink's until the stage completes; the next call has to wait for that. */
        CompletionStage<Void> write(ByteBuffer bytes);

        /**
         * Ends the content and makes it durable.
         *
         * @param owner the key of the row that will refer to it
         */
        CompletionStage<Void> seal(byte[] owner);

        /** Lets go of what was written; of no effect once sealed. May be called while a write is under way. */
        void abandon();
    }

    /**
     * The owner of a sealed content has been committed. Readers find it before and after alike, and it is as durable before
     * as after, so that nobody has to wait for this.
     */
    CompletionStage<Void> keep(long collection, String name);

    /** Opens a content that is sealed; fails when there is none of this name. */
    CompletionStage<Source> open(long collection, String name);

    /** A content that is being read. It can be read to its end even if it is deleted meanwhile, where the store can. */
    interface Source extends AutoCloseable {
        /** Fills the buffer from a position of the content on; fails when the content ends before that. */
        CompletionStage<Void> read(long position, ByteBuffer into);

        /** Shows the first bytes of the content, piece by piece on one thread of the store; fails when there are fewer. */
        default CompletionStage<Void> readAll(long length, Consumer<ByteBuffer> seen) {
            ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(length));
            return read(0, all).thenAccept(read -> seen.accept(all.flip()));
        }

        /** Differs once the file of the content was written to again; 0 where that cannot be known. */
        default long stamp() {
            return 0;
        }

        /** The file whose first bytes are the content, where there is one, to be sent without passing through memory. */
        Optional<FileChannel> file();

        @Override
        void close();
    }

    /** Makes a sealed content of what another one holds, as cheaply as the store can, see {@link Sink#seal}. */
    CompletionStage<Void> copy(long collection, String name, long toCollection, String toName, byte[] owner);

    /** Deletes a content; of no effect when there is none. */
    CompletionStage<Void> delete(long collection, String name);

    /**
     * Deletes all contents of a collection, kept or sealed. From the moment of the call, keeping one of it deletes it; a
     * collection is never used again. After a restart the call has to be repeated unless it had completed. What is
     * remembered for that takes memory until {@link #release}.
     */
    CompletionStage<Void> drop(long collection);

    /**
     * No operation in flight refers to the dropped collection: once the calls made so far are done, the store may evict
     * what it keeps in memory about it.
     */
    default void release(long collection) {}

    /**
     * Settles what was sealed or begun but not kept by a process that is no more. What this one has under way is left
     * alone, and so is what is young where other processes use the store.
     */
    CompletionStage<Void> resolve(Reference reference);

    /** Whether an owner refers to a content. */
    @FunctionalInterface
    interface Reference {
        CompletionStage<Boolean> holds(byte[] owner, long collection, String name);
    }

    /** Shows the name of every content that is kept, on a thread of the store. */
    CompletionStage<Void> names(long collection, Consumer<String> seen);

    @Override
    void close();
}
