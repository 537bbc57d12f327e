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
import org.rocksdb.SstFileManager;
import org.rocksdb.SstFileReader;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RocksDB database and its settings. Owns every native object that outlives a call, and releases them in
 * reverse order of creation. Callers ensure that nothing is called after {@link #close}.
 */
final class Store implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    static final int NOT_FOUND = RocksDB.NOT_FOUND;

    static final String IN_MEMORY_PATH = "/rows";
    private static final long BLOCK_BYTES = 16 * 1024;
    private static final int BLOOM_BITS_PER_KEY = 10;
    private static final long MEMTABLE_BYTES_MAX = 64L << 20;
    private static final int MEMTABLES_MAX = 3;

    /** Every insert looks up its key; the filter avoids the search if the key does not exist. */
    private static final double MEMTABLE_BLOOM_RATIO = 0.02;

    /** Few shards: with many, a shard with a large index block would have no space left for data. */
    private static final int CACHE_SHARD_BITS = 2;

    /** The part of the cache for index and filter blocks, from which data blocks cannot evict them. */
    private static final double CACHE_HIGH_PRIORITY_RATIO = 0.5;

    /** Text of the RocksDB log about skipped bytes of a write-ahead log. */
    private static final String SKIPPED = ".log: dropping ";

    /** Text of the same line about an incomplete last record, as a killed process leaves it. */
    private static final String INCOMPLETE = "Corruption: truncated";

    private static final String PROBE_FILE = "trestle.probe";

    /** More than RocksDB writes on opening before it replays the log. */
    private static final int PROBE_BYTES = 64 * 1024;

    /** The first level is not compressed, because it is rewritten soon. */
    private static final List<CompressionType> COMPRESSION =
            List.of(CompressionType.NO_COMPRESSION, CompressionType.LZ4_COMPRESSION);

    /**
     * Limit of open files. Each costs a descriptor and memory outside the cache, and their number grows with the
     * data.
     */
    private static final int OPEN_FILES_MAX = 1024;

    /** Limit of tombstones and old versions that {@link #freeUntil} skips. */
    private static final long SKIPPED_MAX = 64;

    /**
     * Obsolete files are truncated piece by piece at this rate. Deleting a file of 45 MB at once delays every sync of
     * the log by about 10 ms.
     */
    private static final long DELETION_BYTES_PER_SECOND = 128L << 20;

    private static final long DELETION_PIECE_BYTES = 1 << 20;

    /** Limit of the files that wait for deletion, relative to the live ones; beyond it they are deleted at once. */
    private static final double DELETION_BACKLOG_RATIO = 1.0;

    private static final long LOG_BYTES_MAX = 1 << 20;
    private static final long LOGS_MAX = 2;

    static {
        // Before static initializers of option classes, which call native code.
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

    private Options options(RocksEngineConfig config) throws RocksDBException {
        long memtableBytes = Math.min(MEMTABLE_BYTES_MAX, config.memoryBytes() / 8);
        LRUCache cache = keep(new LRUCache(config.memoryBytes(), CACHE_SHARD_BITS, false, CACHE_HIGH_PRIORITY_RATIO));
        // Memtables are charged to the cache, so that one budget covers both.
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
        return onDisk
                ? made.setSstFileManager(keep(new SstFileManager(
                        Env.getDefault(),
                        null,
                        DELETION_BYTES_PER_SECOND,
                        DELETION_BACKLOG_RATIO,
                        DELETION_PIECE_BYTES)))
                : made.setEnv(keep(new RocksMemEnv(Env.getDefault())));
    }

    private <T extends AutoCloseable> T keep(T nativeObject) {
        natives.push(nativeObject);
        return nativeObject;
    }

    /** Reads like {@link RocksDB#get(ReadOptions, byte[], byte[])}, from memory or disk. */
    int get(byte[] key, byte[] value) throws RocksDBException {
        return db.get(anyTier, key, value);
    }

    /** Reads without disk access; throws {@code Incomplete} if it is needed. */
    int getCached(byte[] key, byte[] value) throws RocksDBException {
        return db.get(cacheTier, key, value);
    }

    /**
     * Returns the end of the empty range that begins at {@code start}: the next row, {@code end} if there is none,
     * or {@code start} if finding it would need disk access or skip many tombstones.
     */
    byte[] freeUntil(byte[] start, byte[] end) throws RocksDBException {
        try (RocksIterator rows = db.newIterator(fewSteps)) {
            rows.seek(start);
            if (rows.isValid()) {
                return rows.key();
            }
            // A failed iterator looks like one at its end.
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
     * Opens a cursor over one snapshot that ends before {@code to}.
     *
     * @param cached whether it fails with {@code Incomplete} instead of accessing the disk
     */
    Cursor cursor(byte[] to, boolean cached) {
        // For this thread. Otherwise the counters of an unused profile take a tenth of the cost of an iteration
        // step.
        db.setPerfLevel(PerfLevel.DISABLE);
        return new Cursor(db, to, cached ? ReadTier.BLOCK_CACHE_TIER : ReadTier.READ_ALL_TIER);
    }

    /** Returns the live SST files. */
    List<LiveFileMetaData> files() {
        return db.getLiveFilesMetaData();
    }

    /** Verifies the checksums of an SST file. */
    void verify(String file) throws RocksDBException {
        try (SstFileReader reader = new SstFileReader(options)) {
            reader.open(path + "/" + file);
            reader.verifyChecksum();
        }
    }

    /** Reads a numeric property of RocksDB. */
    double property(String name) throws RocksDBException {
        return Double.parseDouble(db.getProperty(name));
    }

    void deleteRange(KeyRange range) throws RocksDBException {
        db.deleteRange(writeOptions, range.from(), range.to());
        // The rows are deleted; this frees whole files of them without a compaction.
        db.deleteFilesInRanges(db.getDefaultColumnFamily(), List.of(range.from(), range.to()), false);
    }

    /**
     * Returns whether files can be written to the disk. Checked before {@link #reopen}, because a database that
     * fails writes still serves reads, and one that cannot be reopened serves nothing.
     */
    boolean isDiskWritable() {
        if (!onDisk) {
            return true;
        }
        Path probe = Path.of(path).resolveSibling(PROBE_FILE);
        try (FileChannel file = FileChannel.open(
                probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
            // A full disk may accept the first bytes.
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reopens the database after a failure that RocksDB cannot recover from. No other operation may be in
     * progress.
     */
    void reopen() throws RocksDBException {
        db.close();
        db = open();
    }

    /** Opens the database, and logs an error if RocksDB has skipped a damaged part of the write-ahead log. */
    private RocksDB open() throws RocksDBException {
        if (onDisk) {
            WalTailRepair.repair(Path.of(path));
        }
        RocksDB opened = RocksDB.open(options, path);
        if (onDisk) {
            try (Stream<String> lines = Files.lines(Path.of(path, "LOG"), StandardCharsets.ISO_8859_1)) {
                lines.filter(line -> line.contains(SKIPPED) && !line.contains(INCOMPLETE))
                        .findFirst()
                        .ifPresent(line -> LOG.error(
                                "The write-ahead log is damaged. Writes before the damage are recovered; every write after it,"
                                        + " until the server stopped, is lost: {}",
                                line));
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("Reading the RocksDB log failed, so damage of the write-ahead log would not be noticed", e);
            }
        }
        return opened;
    }

    /** Makes all writes durable and closes the database. No other operation may be in progress or follow. */
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

    /** An iterator with the native objects that it uses. */
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

        /** Returns the key so many rows before the position, or {@code least} if there are fewer from there on. */
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
        public int row(byte[] target, int offset, int space) {
            return iterator.value(target, offset, space);
        }

        @Override
        public int key(byte[] target, int offset, int space) {
            return iterator.key(target, offset, space);
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
