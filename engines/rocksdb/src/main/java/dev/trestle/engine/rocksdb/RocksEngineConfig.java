package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.StorageConfig;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The part of a {@link StorageConfig} that applies to this engine, validated.
 *
 * @param directory the data folder; rows are kept in memory if empty
 * @param memoryBytes limit of cached blocks, memtables, indexes and filters together
 * @param rowCacheBytes limit of the row cache on the Java heap; 0 disables it
 */
public record RocksEngineConfig(
        Optional<Path> directory, Durability durability, long memoryBytes, long rowCacheBytes, EngineLimits limits) {
    /** The smallest value of {@link #memoryBytes} that RocksDB works with. */
    public static final long MEMORY_BYTES_MIN = 8L << 20;

    private static final int SCAN_THREADS_MIN = 2;
    private static final int READ_THREADS_MIN = 4;

    public RocksEngineConfig {
        if (memoryBytes < MEMORY_BYTES_MIN) {
            throw new IllegalArgumentException("The engine needs at least " + MEMORY_BYTES_MIN + " bytes of memory.");
        }
        if (rowCacheBytes < 0) {
            throw new IllegalArgumentException("The size of the row cache is negative: " + rowCacheBytes);
        }
    }

    static RocksEngineConfig of(StorageConfig config) {
        return new RocksEngineConfig(
                config.folder(), config.durability(), config.memoryBytes(), config.rowCacheBytes(), config.limits());
    }

    /** Returns the defaults for rows in a directory. */
    public static RocksEngineConfig at(Path directory) {
        return of(StorageConfig.at(directory));
    }

    /** Returns the defaults for rows in memory, which are lost when the engine is closed. */
    public static RocksEngineConfig inMemory() {
        return of(StorageConfig.inMemory());
    }

    int scanThreads() {
        return limits.scanThreads()
                .orElse(Math.max(SCAN_THREADS_MIN, Runtime.getRuntime().availableProcessors()));
    }

    int readThreads() {
        return limits.readThreads()
                .orElse(Math.max(READ_THREADS_MIN, Runtime.getRuntime().availableProcessors()));
    }

    public RocksEngineConfig withDurability(Durability changed) {
        return new RocksEngineConfig(directory, changed, memoryBytes, rowCacheBytes, limits);
    }

    public RocksEngineConfig withMemoryBytes(long changed) {
        return new RocksEngineConfig(directory, durability, changed, rowCacheBytes, limits);
    }
}
