package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Ordered rows with partition-atomic commits. An implementer promises:
 *
 * <ul>
 *   <li>a commit applies wholly or not at all, and when its stage completes it is as durable as the engine was asked to
 *       be and seen by every later read and scan;
 *   <li>the version a commit gives its rows is greater than that of any earlier commit of the same partition, also
 *       after a restart and when the clock goes backwards;
 *   <li>a page of a scan is one consistent snapshot, and rows come in the unsigned order of their keys;
 *   <li>stages complete exceptionally with {@link EngineException} only; bad arguments throw at once;
 *   <li>all methods may be called from any thread and never block it; a stage may complete before it is returned, and
 *       completes on a thread of the engine's choice otherwise, where the caller must not block.
 * </ul>
 */
public interface Engine extends AutoCloseable {

    /** The row as it was encoded, with its version, or empty when there is none. */
    CompletionStage<Optional<byte[]>> read(Key key);

    /** One page of rows. */
    CompletionStage<RowPage> scan(Scan scan);

    /** Applies all writes if every precondition holds; otherwise none, and says which failed first. */
    CompletionStage<CommitResult> commit(Commit commit);

    /**
     * Removes every row of a collection, in the background where that takes long. From the moment of the call, commits
     * to the collection are refused with {@link CommitResult.Reason#COLLECTION_DROPPED}; a collection is never used
     * again. The stage completes when no row of it is left to reclaim; after a restart the call has to be repeated
     * unless it had completed. The refusals take memory until {@link #release}.
     */
    CompletionStage<Void> drop(long collection);

    /**
     * No operation in flight refers to the dropped collection, so nobody will commit to it again: the engine may evict
     * what it keeps in memory to refuse such commits.
     */
    default void release(long collection) {}

    /** Whether other processes may change rows too, so that what was read is not to be relied on for long. */
    default boolean isShared() {
        return false;
    }

    /** Compares stored rows with their checksums; empty where the storage does that by itself. */
    default Optional<RowVerification> rowVerification() {
        return Optional.empty();
    }

    /** Completes or fails everything under way, makes it durable, and releases what the engine holds. */
    @Override
    void close();
}
