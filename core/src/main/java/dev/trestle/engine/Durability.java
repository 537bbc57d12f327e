package dev.trestle.engine;

/** What an acknowledged commit survives. */
public enum Durability {
    /**
     * A crash of the process and a loss of power: the write-ahead log is synced to disk before a commit completes.
     */
    SYNCED,
    /**
     * A crash of the process only: the operating system, or the data nodes of a cluster, write the log to disk
     * later.
     */
    BUFFERED
}
