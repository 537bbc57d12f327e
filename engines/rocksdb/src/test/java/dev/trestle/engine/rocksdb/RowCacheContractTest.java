package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Engine;
import dev.trestle.testkit.AllEngineContracts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;

/**
 * The engine contract with an eager cache: every scan loads a run of few rows, and workers run all reads that miss
 * the block cache.
 */
class RowCacheContractTest extends AllEngineContracts {
    private static final RowCache.Settings EAGER = new RowCache.Settings(1 << 20, 2, 64 << 10, 0, Duration.ZERO);

    private static final PageCacheMonitor NEVER_WARM = new PageCacheMonitor(Path.of("none"), System::nanoTime);

    @TempDir
    private Path directory;

    @Override
    protected Engine openOnce(InstantSource clock) {
        return open(RocksEngineConfig.inMemory(), clock);
    }

    @Override
    protected Engine open(InstantSource clock) {
        return open(RocksEngineConfig.at(directory), clock);
    }

    private static Engine open(RocksEngineConfig config, InstantSource clock) {
        return RocksEngine.open(config.withMemoryBytes(32L << 20), EAGER, NEVER_WARM, clock);
    }
}
