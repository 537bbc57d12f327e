package dev.trestle.engine.rocksdb;

import dev.trestle.engine.CommitObserver;
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
 * What this engine tells about itself. RocksDB's own figures are its properties, looked up when somebody asks: its
 * statistics object, which would count more, is paid for by every operation.
 */
final class RocksTelemetry implements EngineTelemetry {
    /** RocksDB's default, which {@link Store} leaves as it is. */
    private static final int LEVELS = 7;

    private final Store store;
    private final UsageLatch gate;
    private final RowDamage damage;
    private final LongAdder readsFromMemory = new LongAdder();
    private final LongAdder readsFromDisk = new LongAdder();
    private final LongAdder pagesFromCache = new LongAdder();
    private final LongAdder pagesFromStore = new LongAdder();
    private final List<Metric> figures;
    private volatile CommitObserver observer = CommitObserver.NONE;

    /** @param dropped how many dropped collections are remembered */
    RocksTelemetry(
            Store store,
            UsageLatch gate,
            RowCache cache,
            CommitQueue commits,
            WorkerPool reads,
            WorkerPool scans,
            RowDamage damage,
            DoubleSupplier dropped) {
        this.damage = damage;
        this.store = store;
        this.gate = gate;
        List<Metric> all = new ArrayList<>(List.of(
                Metric.gauge("engine.commits.queued", "Commits that wait to be written.", commits::size),
                Metric.gauge("engine.commits.queued.bytes", "Keys and rows of the commits that wait.", commits::bytes),
                Metric.gauge("engine.reads.queued", "Reads that wait for a thread to go to disk.", reads::queued),
                Metric.gauge("engine.scans.queued", "Pages that wait for a thread.", scans::queued),
                Metric.counter("engine.reads", "Point reads, by what answered them.", readsFromMemory::sum)
                        .with("from", "memory"),
                Metric.counter("engine.reads", "Point reads, by what answered them.", readsFromDisk::sum)
                        .with("from", "disk"),
                Metric.counter("engine.pages", "Pages of scans, by where their rows were.", pagesFromCache::sum)
                        .with("from", "rowcache"),
                Metric.counter("engine.pages", "Pages of scans, by where their rows were.", pagesFromStore::sum)
                        .with("from", "store"),
                Metric.gauge("engine.rowcache.bytes", "Rows kept on the heap for scans.", cache::bytes),
                Metric.gauge(
                        "engine.collections.dropped",
                        "Dropped collections that requests in flight may still refer to.",
                        dropped),
                Metric.counter(
                        "engine.damaged.reads",
                        "Operations that failed because stored rows are damaged.",
                        damage::failures),
                property("block.cache.usage.bytes", "block-cache-usage", "Blocks and memtables in the cache."),
                property("block.cache.pinned.bytes", "block-cache-pinned-usage", "Blocks that cannot be evicted now."),
                property("block.cache.capacity.bytes", "block-cache-capacity", "What the cache may hold."),
                property("memtables.bytes", "cur-size-all-mem-tables", "Rows not flushed to a file yet."),
                property("memtables.unflushed", "num-immutable-mem-table", "Full memtables that wait to be flushed."),
                property("flushes.running", "num-running-flushes", "Flushes under way."),
                property("compactions.running", "num-running-compactions", "Compactions under way."),
                property(
                        "compaction.pending.bytes",
                        "estimate-pending-compaction-bytes",
                        "What compactions still have to rewrite, estimated."),
                property("keys", "estimate-num-keys", "Rows, estimated; rows not yet compacted away count too."),
                property("live.data.bytes", "estimate-live-data-size", "Rows in files, without what is overwritten."),
                property("files.bytes", "total-sst-files-size", "Files on disk, without the write-ahead log."),
                property("write.delayed.bytes.per.second", "actual-delayed-write-rate", "Writes are slowed to this."),
                property("write.stopped", "is-write-stopped", "1 while RocksDB takes no writes until it catches up."),
                property("errors.background", "background-errors", "Flushes and compactions that failed.")));
        for (int level = 0; level < LEVELS; level++) {
            all.add(property("files", "num-files-at-level" + level, "Files, by level.")
                    .with("level", Integer.toString(level)));
        }
        this.figures = List.copyOf(all);
    }

    private Metric property(String name, String property, String description) {
        return Metric.gauge("rocksdb." + name, description, look("rocksdb." + property));
    }

    private DoubleSupplier look(String property) {
        return () -> {
            if (!gate.enter()) {
                return Double.NaN;
            }
            try {
                return store.property(property);
            } catch (RocksDBException e) {
                return Double.NaN;
            } finally {
                gate.leave();
            }
        };
    }

    @Override
    public List<Metric> metrics() {
        return figures;
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
