package dev.trestle.engine.rocksdb;

import dev.trestle.engine.support.WorkerPool;
import dev.trestle.keyspace.KeyRange;
import java.util.concurrent.CompletionStage;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Removes the rows of dropped collections, one collection at a time, on a thread of its own. */
final class Reclaimer implements AutoCloseable {
    /**
     * Up to here rows are deleted one by one. A range tombstone slows reads near it until it is compacted away, so it
     * has to be worth it, and applications that make and drop small tables all the time would pile them up.
     */
    private static final int POINT_DELETES_MAX = 1000;

    private static final int DROPS_QUEUED_MAX = 4096;

    private final Store store;
    private final UsageLatch gate;
    private final RowCache cache;
    private final WorkerPool worker;

    Reclaimer(Store store, UsageLatch gate, RowCache cache, RowDamage damage) {
        this.store = store;
        this.gate = gate;
        this.cache = cache;
        this.worker = new WorkerPool("trestle-reclaim", 1, DROPS_QUEUED_MAX, damage::failure);
    }

    /** The stage completes when the range is empty and will be so after a restart. Nobody may write to it any more. */
    CompletionStage<Void> reclaim(KeyRange range) {
        return worker.submit(() -> {
            if (!gate.enter()) {
                throw RocksErrors.closed();
            }
            cache.forget(range);
            try {
                remove(range);
            } finally {
                cache.forget(range);
                gate.leave();
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
