package dev.trestle.engine.rocksdb;

import org.rocksdb.RocksDBException;

/** Iterates over a snapshot of rows in key order. Not thread-safe. */
interface RowCursor extends AutoCloseable {
    /** Moves to the first row at or after the position. */
    void seek(byte[] position);

    boolean isValid();

    void next();

    /** Copies as much of the row as fits into an array, and returns the length of the row. */
    int row(byte[] target, int offset, int space);

    /** Copies the key likewise. */
    int key(byte[] target, int offset, int space);

    byte[] key();

    /** Throws if the cursor became invalid because of a failure instead of the end of the rows. */
    void status() throws RocksDBException;

    /**
     * Returns whether the rows come from the {@link RowCache}, where iteration is several times as fast as in
     * RocksDB.
     */
    boolean cached();

    @Override
    void close();
}
