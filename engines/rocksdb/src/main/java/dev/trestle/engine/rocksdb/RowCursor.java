package dev.trestle.engine.rocksdb;

import org.rocksdb.RocksDBException;

/** Goes from row to row in the order of their keys, over what there was at one moment. For one thread at a time. */
interface RowCursor extends AutoCloseable {
    /** Goes to the first row at or after the position. */
    void seek(byte[] position);

    boolean isValid();

    void next();

    /** Copies the row to an array, as much of it as has room there, and tells how long it is. */
    int row(byte[] target, int offset, int room);

    /** The same with its key. */
    int key(byte[] target, int offset, int room);

    byte[] key();

    /** To be asked at the end, because a cursor that failed looks like one that came to it. */
    void status() throws RocksDBException;

    /** Whether the rows are those of {@link RowCache}, which are several times as fast to go over as RocksDB's. */
    boolean cached();

    @Override
    void close();
}
