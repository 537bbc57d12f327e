package dev.trestle.engine.rocksdb;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How an engine is opened.
 *
 * @param directory where the rows are kept; nothing touches the disk when empty
 * @param memoryBytes cached blocks, memtables, indexes and filters together, at most
 * @param rowCacheBytes rows on the Java heap that are scanned again and again, at most; none when 0
 * @param commitsQueuedMax commits that may wait for the committer before more are refused as overload
 * @param commitBytesQueuedMax key and row bytes of those commits
 * @param scanThreads pages read at the same time
 * @param scansQueuedMax pages that may wait for a thread before more are refused as overload
 * @param readThreads reads that wait for the disk at the same time
 * @param readsQueuedMax such reads that may wait for a thread before more are refused as overload
 */
public record RocksEngineConfig(
        Optional<Path> directory,
        Durability durability,
        long memoryBytes,
        long rowCacheBytes,
        int commitsQueuedMax,
        long commitBytesQueuedMax,
        int scanThreads,
        int scansQueuedMax,
        int readThreads,
        int readsQueuedMax) {
    /** The least that an engine can work with. */
    public static final long MEMORY_BYTES_MIN = 8L << 20;

    private static final long MEMORY_BYTES = 512L << 20;
    private static final long ROW_CACHE_BYTES = 16L << 20;
    private static final int COMMITS_QUEUED_MAX = 8192;
    private static final long COMMIT_BYTES_QUEUED_MAX = 32L << 20;
    private static final int SCANS_QUEUED_MAX = 1024;
    private static final int READS_QUEUED_MAX = 1024;

    /** What an acknowledged commit survives. */
    public enum Durability {
        /** A crash of the process and a loss of power. */
        SYNCED,
        /** A crash of the process. */
        BUFFERED
    }

    public RocksEngineConfig {
        if (memoryBytes < MEMORY_BYTES_MIN) {
            throw new IllegalArgumentException("the engine needs at least " + MEMORY_BYTES_MIN + " bytes of memory");
        }
        if (rowCacheBytes < 0) {
            throw new IllegalArgumentException("the row cache takes some memory or none");
        }
        if (commitsQueuedMax < 1
                || commitBytesQueuedMax < 1
                || scanThreads < 1
                || scansQueuedMax < 1
                || readThreads < 1
                || readsQueuedMax < 1) {
            throw new IllegalArgumentException("threads and queues of the engine are at least 1");
        }
    }

    /** The defaults, with the rows kept in a directory. */
    public static RocksEngineConfig at(Path directory) {
        return defaults(Optional.of(directory));
    }

    /** The defaults, with the rows kept in memory and gone when the engine is closed. */
    public static RocksEngineConfig inMemory() {
        return defaults(Optional.empty());
    }

    private static RocksEngineConfig defaults(Optional<Path> directory) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new RocksEngineConfig(
                directory,
                Durability.SYNCED,
                MEMORY_BYTES,
                ROW_CACHE_BYTES,
                COMMITS_QUEUED_MAX,
                COMMIT_BYTES_QUEUED_MAX,
                Math.max(2, processors),
                SCANS_QUEUED_MAX,
                Math.max(4, processors),
                READS_QUEUED_MAX);
    }

    public RocksEngineConfig withDurability(Durability changed) {
        return with(changed, memoryBytes, rowCacheBytes);
    }

    public RocksEngineConfig withMemoryBytes(long changed) {
        return with(durability, changed, rowCacheBytes);
    }

    public RocksEngineConfig withRowCacheBytes(long changed) {
        return with(durability, memoryBytes, changed);
    }

    private RocksEngineConfig with(Durability kept, long memory, long rowCache) {
        return new RocksEngineConfig(
                directory,
                kept,
                memory,
                rowCache,
                commitsQueuedMax,
                commitBytesQueuedMax,
                scanThreads,
                scansQueuedMax,
                readThreads,
                readsQueuedMax);
    }

    /** With these limits of what may wait, in the order of the components of the same names. */
    public RocksEngineConfig withQueues(int commits, long commitBytes, int scans, int reads) {
        return new RocksEngineConfig(
                directory,
                durability,
                memoryBytes,
                rowCacheBytes,
                commits,
                commitBytes,
                scanThreads,
                scans,
                readThreads,
                reads);
    }

    public RocksEngineConfig withThreads(int scans, int reads) {
        return new RocksEngineConfig(
                directory,
                durability,
                memoryBytes,
                rowCacheBytes,
                commitsQueuedMax,
                commitBytesQueuedMax,
                scans,
                scansQueuedMax,
                reads,
                readsQueuedMax);
    }
}
