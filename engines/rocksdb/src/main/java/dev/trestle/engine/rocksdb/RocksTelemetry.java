package dev.trestle.engine.rocksdb;

import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.CommonMetrics;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Metric;
import dev.trestle.engine.support.WorkerPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import org.rocksdb.RocksDBException;

/**
 * The metrics of this engine. Those of RocksDB are its properties, read on request: its statistics object would
 * count more, but would slow down every operation.
 */
final class RocksTelemetry implements EngineTelemetry {
    /** RocksDB's default, which {@link Store} does not change. */
    private static final int LEVELS = 7;

    private final Store store;
    private final UsageLatch latch;
    private final RowDamage damage;
    private final LongAdder readsFromMemory = new LongAdder();
    private final LongAdder readsFromDisk = new LongAdder();
    private final LongAdder pagesFromCache = new LongAdder();
    private final LongAdder pagesFromStore = new LongAdder();
    private final List<Metric> metrics;
    private volatile CommitObserver observer = CommitObserver.NONE;

    /** @param dropped the number of dropped collections kept in memory */
    RocksTelemetry(
            Store store,
            UsageLatch latch,
            RowCache cache,
            CommitQueue commits,
            WorkerPool reads,
            WorkerPool scans,
            RowDamage damage,
            DoubleSupplier dropped) {
        this.damage = damage;
        this.store = store;
        this.latch = latch;
        List<Metric> all = new ArrayList<>(
                new CommonMetrics(commits::size, reads::queued, reads::running, scans::queued, scans::running, dropped)
                        .metrics());
        all.addAll(List.of(
                Metric.gauge("engine.commits.queued.bytes", "Keys and rows of the commits that wait.", commits::bytes),
                Metric.counter("engine.reads", "Point reads, by source.", readsFromMemory::sum)
                        .with("from", "memory"),
                Metric.counter("engine.reads", "Point reads, by source.", readsFromDisk::sum)
                        .with("from", "disk"),
                Metric.counter("engine.pages", "Pages of scans, by source.", pagesFromCache::sum)
                        .with("from", "rowcache"),
                Metric.counter("engine.pages", "Pages of scans, by source.", pagesFromStore::sum)
                        .with("from", "store"),
                Metric.gauge("engine.rowcache.bytes", "Size of the row cache on the Java heap.", cache::bytes),
                Metric.counter(
                        "engine.damaged.reads",
                        "Operations that failed because stored rows are damaged.",
                        damage::failures),
                property("block.cache.usage.bytes", "block-cache-usage", "Blocks and memtables in the cache."),
                property(
                        "block.cache.pinned.bytes",
                        "block-cache-pinned-usage",
                        "Pinned blocks, which cannot be evicted."),
                property("block.cache.capacity.bytes", "block-cache-capacity", "Limit of the cache."),
                property("memtables.bytes", "cur-size-all-mem-tables", "Rows not flushed to a file yet."),
                property("memtables.unflushed", "num-immutable-mem-table", "Full memtables that wait to be flushed."),
                property("flushes.running", "num-running-flushes", "Flushes running now."),
                property("compactions.running", "num-running-compactions", "Compactions running now."),
                property(
                        "compaction.pending.bytes",
                        "estimate-pending-compaction-bytes",
                        "Estimated bytes that compactions have to rewrite."),
                property(
                        "keys",
                        "estimate-num-keys",
                        "Estimated number of rows, including deleted ones not compacted away."),
                property("live.data.bytes", "estimate-live-data-size", "Estimated size of the live rows in files."),
                property("files.bytes", "total-sst-files-size", "Size of the files, without the write-ahead log."),
                property(
                        "write.delayed.bytes.per.second",
                        "actual-delayed-write-rate",
                        "Rate limit of writes during a stall; 0 if none."),
                property(
                        "write.stopped",
                        "is-write-stopped",
                        "1 while RocksDB has stopped writes, until compactions catch up."),
                property("errors.background", "background-errors", "Flushes and compactions that failed.")));
        for (int level = 0; level < LEVELS; level++) {
            all.add(property("files", "num-files-at-level" + level, "SST files, by level.")
                    .with("level", Integer.toString(level)));
        }
        this.metrics = List.copyOf(all);
    }

    private Metric property(String name, String property, String description) {
        return Metric.gauge("rocksdb." + name, description, readProperty("rocksdb." + property));
    }

    private DoubleSupplier readProperty(String property) {
        return () -> {
            if (!latch.enter()) {
                return Double.NaN;
            }
            try {
                return store.property(property);
            } catch (RocksDBException e) {
                return Double.NaN;
            } finally {
                latch.leave();
            }
        };
    }

    @Override
    public List<Metric> metrics() {
        return metrics;
    }

    @Override
    public Optional<String> damage() {
        return damage.sentence();
    }

    @Override
    public void observe(CommitObserver next) {
        observer = next;
    }

    void readFromMemory() {
        readsFromMemory.increment();
    }

    void readFromDisk() {
        readsFromDisk.increment();
    }

    void pageRead(boolean fromCache) {
        (fromCache ? pagesFromCache : pagesFromStore).increment();
    }

    CommitObserver observer() {
        return observer;
    }
}
