package dev.trestle.engine;

import dev.trestle.keyspace.Key;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Ordered rows with commits that are atomic within a partition. An implementation guarantees:
 *
 * <ul>
 *   <li>a commit applies completely or not at all; when its stage completes, it has the configured
 *       {@link Durability}, and every later read and scan sees it;
 *   <li>the version of a commit is greater than that of any earlier commit to the same partition, also after a
 *       restart and when the clock goes backwards;
 *   <li>rows given to a commit are not modified: the engine stores copies that carry the version, and returns the
 *       version;
 *   <li>a page of a scan is one consistent snapshot, and its rows are in the unsigned order of their keys;
 *   <li>stages fail with {@link EngineException} only; invalid arguments throw immediately;
 *   <li>all methods are thread-safe and do not block. A stage that is not complete when it is returned completes
 *       on a thread of the engine, which dependent stages must not block.
 * </ul>
 */
public interface Engine extends AutoCloseable {

    /** Returns the encoded row with its version, or empty if there is none. The caller owns the array. */
    CompletionStage<Optional<byte[]>> read(Key key);

    /** Returns one page of rows, which the caller owns and closes. */
    CompletionStage<RowPage> scan(Scan scan);

    /**
     * Applies all writes if every precondition holds, and returns their version; otherwise applies none and
     * returns the first write that was refused. The rows must not be modified until the stage completes.
     */
    CompletionStage<CommitResult> commit(Commit commit);

    /**
     * Removes every row of a collection, possibly in the background. Commits to the collection are refused from
     * now on with {@link CommitResult.Reason#COLLECTION_DROPPED}; a collection is never reused. The stage
     * completes when all rows are removed. If the process stops before that, the call must be repeated. The engine
     * keeps the collection in memory, to refuse its commits, until {@link #release}.
     */
    CompletionStage<Void> drop(long collection);

    /** Evicts a dropped collection from memory. Called when no operation in flight refers to it. */
    default void release(long collection) {}

    /** Returns whether other processes may change rows too, so that rows must not be cached for long. */
    default boolean isShared() {
        return false;
    }

    /** Returns the verification of stored rows; empty if the storage verifies them by itself. */
    default Optional<RowVerification> rowVerification() {
        return Optional.empty();
    }

    /**
     * Completes or fails all operations in flight, makes completed commits durable, and releases all resources.
     */
    @Override
    void close();
}
