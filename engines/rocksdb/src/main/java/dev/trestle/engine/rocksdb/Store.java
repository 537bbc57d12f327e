package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Durability;
import dev.trestle.keyspace.KeyRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Env;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.PerfLevel;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.Slice;
import org.rocksdb.SstFileReader;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native store and its settings. It owns every native object that outlives a call, and releases them in the reverse
 * of the order they were made in. Callers see to it that nothing is called after {@link #close}.
 */
final class Store implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    static final int NOT_FOUND = RocksDB.NOT_FOUND;

    static final String IN_MEMORY_PATH = "/rows";
    private static final long BLOCK_BYTES = 16 * 1024;
    private static final int BLOOM_BITS_PER_KEY = 10;
    private static final long MEMTABLE_BYTES_MAX = 64L << 20;
    private static final int MEMTABLES_MAX = 3;

    /** Every insert asks whether its key is there already; a filter tells that it is not without a search. */
    private static final double MEMTABLE_BLOOM_RATIO = 0.02;

    /** Few shards: with many, one holding a large index block has no room left for data. */
    private static final int CACHE_SHARD_BITS = 2;

    /** The part of the cache that data blocks read once cannot push index and filter blocks out of. */
    private static final double CACHE_HIGH_PRIORITY_RATIO = 0.5;

    /** In RocksDB's own log, of bytes of a write-ahead log. */
    private static final String LEFT_OUT = ".log: dropping ";

    /** In the same line, when it is about the end of a last record that was never finished: what a kill leaves. */
    private static final String CUT_SHORT = "Corruption: truncated";

    private static final String PROBE_FILE = "trestle.probe";

    /** More than a new store writes before it has replayed anything. */
    private static final int PROBE_BYTES = 64 * 1024;

    /** The first level is rewritten soon, so compressing it would be work for nothing. */
    private static final List<CompressionType> COMPRESSION =
            List.of(CompressionType.NO_COMPRESSION, CompressionType.LZ4_COMPRESSION);

    /** Files kept open. Each costs a descriptor and some memory outside the cache, and their number grows with the data. */
    private static final int OPEN_FILES_MAX = 1024;

    /** Deleted rows and old versions that {@link #freeUntil} goes over before it gives up. */
    private static final long SKIPPED_MAX = 64;

    private static final long LOG_BYTES_MAX = 1 << 20;
    private static final long LOGS_MAX = 2;

    static {
        // Static initialisers of option classes call native code, so the library has to be there before any of them.
        RocksDB.loadLibrary();
    }

    private final Deque<AutoCloseable> natives = new ArrayDeque<>();
    private final String path;
    private final boolean onDisk;
    private final Options options;
    private final WriteOptions writeOptions;
    private final ReadOptions anyTier;
    private final ReadOptions cacheTier;
    private final ReadOptions fewSteps;
    private volatile RocksDB db;

    Store(RocksEngineConfig config, String path) throws RocksDBException {
        this.path = path;
        this.onDisk = config.directory().isPresent();
        try {
            this.options = keep(options(config));
            this.writeOptions = keep(new WriteOptions()).setSync(config.durability() == Durability.SYNCED);
            this.anyTier = keep(new ReadOptions());
            this.cacheTier = keep(new ReadOptions()).setReadTier(ReadTier.BLOCK_CACHE_TIER);
            this.fewSteps = keep(new ReadOptions())
                    .setReadTier(ReadTier.BLOCK_CACHE_TIER)
                    .setMaxSkippableInternalKeys(SKIPPED_MAX);
            this.db = open();
        } catch (RocksDBException | RuntimeException e) {
            release();
            throw e;
        }
    }

    static Store inMemory(RocksEngineConfig config) throws RocksDBException {
        return new Store(config, IN_MEMORY_PATH);
    }

    private Options options(RocksEngineConfig config) {
        long memtableBytes = Math.min(MEMTABLE_BYTES_MAX, config.memoryBytes() / 8);
        LRUCache cache = keep(new LRUCache(config.memoryBytes(), CACHE_SHARD_BITS, false, CACHE_HIGH_PRIORITY_RATIO));
        // Memtables are charged to the cache, so that the one budget covers both.
        WriteBufferManager memtables = keep(new WriteBufferManager(memtableBytes * MEMTABLES_MAX, cache));
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(keep(new BloomFilter(BLOOM_BITS_PER_KEY)))
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(true)
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setPinTopLevelIndexAndFilter(true);
        Options made = new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(table)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setCompressionPerLevel(COMPRESSION)
                .setWriteBufferManager(memtables)
                .setWriteBufferSize(memtableBytes)
                .setMaxWriteBufferNumber(MEMTABLES_MAX)
                .setMemtablePrefixBloomSizeRatio(MEMTABLE_BLOOM_RATIO)
                .setMemtableWholeKeyFiltering(true)
                .setAllowConcurrentMemtableWrite(false)
                .setMaxBackgroundJobs(
                        Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors())))
                .setMaxOpenFiles(OPEN_FILES_MAX)
                .setBytesPerSync(1 << 20)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(LOGS_MAX)
                .setMaxLogFileSize(LOG_BYTES_MAX)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
        if (config.directory().isEmpty()) {
            made.setEnv(keep(new RocksMemEnv(Env.getDefault())));
        }
        return made;
    }

    private <T extends AutoCloseable> T keep(T nativeObject) {
        natives.push(nativeObject);
        return nativeObject;
    }

    /** Reads as {@link RocksDB#get(ReadOptions, byte[], byte[])} does, from memory or disk. */
    int get(byte[] key, byte[] value) throws RocksDBException {
        return db.get(anyTier, key, value);
    }

    /** Reads without touching the disk; throws {@code Incomplete} where that cannot be. */
    int getCached(byte[] key, byte[] value) throws RocksDBException {
        return db.get(cacheTier, key, value);
    }

    /**
     * Where the stretch of keys without rows ends that begins here, as far as it can be told without touching the disk
     * and without going over many deleted rows: at the next row, or at once, or at {@code end} if there is no next row.
     */
    byte[] freeUntil(byte[] start, byte[] end) throws RocksDBException {
        try (RocksIterator rows = db.newIterator(fewSteps)) {
            rows.seek(start);
            if (rows.isValid()) {
                return rows.key();
            }
            // An iterator that failed looks like one that came to its end.
            rows.status();
            return end;
        } catch (RocksDBException e) {
            if (!RocksErrors.is(e, Status.Code.Incomplete)) {
                throw e;
            }
            return start;
        }
    }

    void write(WriteBatch batch) throws RocksDBException {
        db.write(writeOptions, batch);
    }

    /**
     * A cursor over one snapshot that ends before {@code to}.
     *
     * @param cached whether it must not touch the disk, and fails as {@code Incomplete} where that cannot be
     */
    Cursor cursor(byte[] to, boolean cached) {
        // Of this thread. Counting for a profile that nobody takes is a tenth of what it costs to go to the next row.
        db.setPerfLevel(PerfLevel.DISABLE);
        return new Cursor(db, to, cached ? ReadTier.BLOCK_CACHE_TIER : ReadTier.READ_ALL_TIER);
    }

    /** The files that rows are in now, without those in memory and in the log. */
    List<LiveFileMetaData> files() {
        return db.getLiveFilesMetaData();
    }

    /** Reads a file of rows, and throws when a block is not what its checksum says. */
    void verify(String file) throws RocksDBException {
        try (SstFileReader reader = new SstFileReader(options)) {
            reader.open(path + "/" + file);
            reader.verifyChecksum();
        }
    }

    /** A number that RocksDB keeps anyway. */
    double property(String name) throws RocksDBException {
        return Double.parseDouble(db.getProperty(name));
    }

    void deleteRange(KeyRange range) throws RocksDBException {
        db.deleteRange(writeOptions, range.from(), range.to());
        // The rows are gone from sight by now; this gives back whole files of them without a compaction.
        db.deleteFilesInRanges(db.getDefaultColumnFamily(), List.of(range.from(), range.to()), false);
    }

    /**
     * Whether the disk takes files now. A store that fails writes still answers reads, and closed it answers nothing, so
     * this is to be asked before {@link #reopen}.
     */
    boolean diskTakesFiles() {
        if (!onDisk) {
            return true;
        }
        Path probe = Path.of(path).resolveSibling(PROBE_FILE);
        try (FileChannel file = FileChannel.open(
                probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
            // A disk at its limit takes some of them and says so only when asked for the rest.
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Leaves a state that only opening anew gets RocksDB out of; nobody else may be inside. */
    void reopen() throws RocksDBException {
        db.close();
        db = open();
    }

    /** What RocksDB cannot read of a log it leaves out, and opens all the same; somebody has to hear of that. */
    private RocksDB open() throws RocksDBException {
        if (onDisk) {
            WalTailRepair.setAsideUnreadable(Path.of(path));
        }
        RocksDB opened = RocksDB.open(options, path);
        if (onDisk) {
            try (Stream<String> lines = Files.lines(Path.of(path, "LOG"), StandardCharsets.ISO_8859_1)) {
                lines.filter(line -> line.contains(LEFT_OUT) && !line.contains(CUT_SHORT))
                        .findFirst()
                        .ifPresent(line -> LOG.error(
                                "The write-ahead log is damaged. What was written before the damage is there; what was"
                                        + " written after it, until the server ended, is lost: {}",
                                line));
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("Whether the write-ahead log was whole cannot be told", e);
            }
        }
        return opened;
    }

    /** Makes what was written durable; nobody may be inside, and nothing may be called after. */
    @Override
    public void close() {
        try {
            if (onDisk && !db.isClosed()) {
                db.syncWal();
            }
        } catch (RocksDBException e) {
            throw RocksErrors.of(e);
        } finally {
            db.close();
            release();
        }
    }

    private void release() {
        while (!natives.isEmpty()) {
            try {
                natives.pop().close();
            } catch (Exception e) {
                throw new AssertionError("native objects close without exceptions", e);
            }
        }
    }

    /** An iterator with the objects it needs to stay alive. */
    static final class Cursor implements RowCursor {
        private final Slice upperBound;
        private final ReadOptions options;
        private final RocksIterator iterator;

        private Cursor(RocksDB db, byte[] to, ReadTier tier) {
            upperBound = new Slice(to);
            options = new ReadOptions().setIterateUpperBound(upperBound).setReadTier(tier);
            iterator = db.newIterator(options);
        }

        @Override
        public void seek(byte[] position) {
            iterator.seek(position);
        }

        /** The key so many rows before the position, or {@code least} if there are not as many from there on. */
        byte[] before(byte[] position, int rows, byte[] least) throws RocksDBException {
            byte[] found = position;
            iterator.seekForPrev(position);
            for (int i = 0; i < rows && iterator.isValid(); i++) {
                byte[] key = iterator.key();
                if (Arrays.compareUnsigned(key, least) < 0) {
                    return least;
                }
                found = key;
                iterator.prev();
            }
            iterator.status();
            return iterator.isValid() ? found : least;
        }

        @Override
        public boolean isValid() {
            return iterator.isValid();
        }

        @Override
        public void next() {
            iterator.next();
        }

        @Override
        public int row(byte[] target, int offset, int room) {
            return iterator.value(target, offset, room);
        }

        @Override
        public int key(byte[] target, int offset, int room) {
            return iterator.key(target, offset, room);
        }

        @Override
        public byte[] key() {
            return iterator.key();
        }

        @Override
        public void status() throws RocksDBException {
            iterator.status();
        }

        @Override
        public boolean cached() {
            return false;
        }

        @Override
        public void close() {
            iterator.close();
            options.close();
            upperBound.close();
        }
    }
}
