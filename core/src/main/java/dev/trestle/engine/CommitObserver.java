package dev.trestle.engine;

/** Told of every group of commits that an engine has written at once. Called where writes happen: it must be quick. */
public interface CommitObserver {
    CommitObserver NONE = (commits, rows, bytes, nanos) -> {};

    /**
     * A group is written and as durable as the engine was asked to be.
     *
     * @param rows rows put or deleted by these commits
     * @param bytes of keys and rows handed to the storage
     * @param nanos what handing them over took, with the sync where there is one
     */
    void groupWritten(int commits, int rows, long bytes, long nanos);
}
