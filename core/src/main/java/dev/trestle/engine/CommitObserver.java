package dev.trestle.engine;

/**
 * Receives every group of commits that an engine has written. Called on the committing thread, so it must not
 * block.
 */
public interface CommitObserver {
    CommitObserver NONE = (commits, rows, bytes, nanos) -> {};

    /**
     * Called when a group is written and durable.
     *
     * @param rows rows put or deleted by these commits
     * @param bytes size of the write, keys and rows
     * @param nanos duration of the write, with its sync if there is one
     */
    void groupWritten(int commits, int rows, long bytes, long nanos);
}
