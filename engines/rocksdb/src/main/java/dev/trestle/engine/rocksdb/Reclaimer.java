package dev.trestle.engine.rocksdb;

import dev.trestle.engine.support.WorkerPool;
import dev.trestle.keyspace.KeyRange;
import java.util.concurrent.CompletionStage;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Deletes the rows of dropped collections, one collection at a time, on a dedicated thread. */
final class Reclaimer implements AutoCloseable {
    /**
     * Up to so many rows are deleted individually, more with a range tombstone. A range tombstone slows down
     * nearby reads until it is compacted away, and applications that create and drop many small tables would
     * accumulate them.
     */
    private static final int POINT_DELETES_MAX = 1000;

    private static final int DROPS_QUEUED_MAX = 4096;

    private final Store store;
    private final UsageLatch latch;
    private final RowCache cache;
    private final WorkerPool worker;

    Reclaimer(Store store, UsageLatch latch, RowCache cache, RowDamage damage) {
        this.store = store;
        this.latch = latch;
        this.cache = cache;
        this.worker = new WorkerPool("trestle-reclaim", 1, DROPS_QUEUED_MAX, damage::failure);
    }

    /** Deletes all rows of a range, to which nobody writes any more. Completes when that is durable. */
    CompletionStage<Void> reclaim(KeyRange range) {
        return worker.submit(() -> {
            if (!latch.enter()) {
                throw RocksErrors.closed();
            }
            cache.invalidate(range);
            try {
                remove(range);
            } finally {
                cache.invalidate(range);
                latch.leave();
            }
            return null;
        });
    }

    private void remove(KeyRange range) throws RocksDBException {
        Batch deletes = new Batch();
        try (Store.Cursor cursor = store.cursor(range.to(), false)) {
            for (cursor.seek(range.from()); cursor.isValid(); cursor.next()) {
                if (deletes.count() == POINT_DELETES_MAX) {
                    store.deleteRange(range);
                    return;
                }
                deletes.delete(cursor.key());
            }
            cursor.status();
        }
        if (deletes.count() > 0) {
            try (WriteBatch batch = deletes.toWriteBatch()) {
                store.write(batch);
            }
        }
    }

    @Override
    public void close() {
        worker.close();
    }
}
