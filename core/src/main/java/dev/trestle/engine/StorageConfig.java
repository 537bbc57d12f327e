package dev.trestle.engine;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Configuration of a storage engine. An engine ignores what does not apply to it: an embedded one {@code cluster},
 * a distributed one {@code folder}, {@code memoryBytes} and {@code rowCacheBytes}.
 *
 * @param folder the data folder; an embedded engine keeps its data in memory if empty
 * @param memoryBytes limit of the memory that the engine takes outside the Java heap, for caches and write buffers
 * @param rowCacheBytes limit of the row cache on the Java heap; 0 disables it
 * @param cluster required by a distributed engine
 */
public record StorageConfig(
        Optional<Path> folder,
        Durability durability,
        EngineLimits limits,
        long memoryBytes,
        long rowCacheBytes,
        Optional<ClusterConfig> cluster) {
    private static final long DEFAULT_MEMORY_BYTES = 512L << 20;
    private static final long DEFAULT_ROW_CACHE_BYTES = 16L << 20;

    /** Returns the defaults for a data folder. */
    public static StorageConfig at(Path folder) {
        return defaults(Optional.of(folder), Optional.empty());
    }

    /** Returns the defaults for data in memory, which is lost when the engine is closed. */
    public static StorageConfig inMemory() {
        return defaults(Optional.empty(), Optional.empty());
    }

    /** Returns the defaults for data in a cluster. */
    public static StorageConfig in(ClusterConfig cluster) {
        return defaults(Optional.empty(), Optional.of(cluster));
    }

    private static StorageConfig defaults(Optional<Path> folder, Optional<ClusterConfig> cluster) {
        return new StorageConfig(
                folder,
                Durability.SYNCED,
                EngineLimits.DEFAULT,
                DEFAULT_MEMORY_BYTES,
                DEFAULT_ROW_CACHE_BYTES,
                cluster);
    }
}
