package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Durability;
import dev.trestle.engine.Engine;
import dev.trestle.testkit.AllEngineContracts;
import dev.trestle.testkit.DurabilityContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The engine contract: on disk if rows must survive, otherwise in memory, which is faster. */
class RocksEngineContractTest extends AllEngineContracts {
    private static final long MEMORY_BYTES = 32L << 20;

    @TempDir
    private Path directory;

    @Override
    protected Engine openOnce(InstantSource clock) {
        return RocksEngine.open(RocksEngineConfig.inMemory().withMemoryBytes(MEMORY_BYTES), clock);
    }

    @Override
    protected Engine open(InstantSource clock) {
        return RocksEngine.open(RocksEngineConfig.at(directory).withMemoryBytes(MEMORY_BYTES), clock);
    }

    @Nested
    class BufferedDurability extends DurabilityContract {
        BufferedDurability() {
            super(RocksEngineContractTest.this::openBuffered);
        }
    }

    private Engine openBuffered(InstantSource clock) {
        return RocksEngine.open(
                RocksEngineConfig.at(directory).withMemoryBytes(MEMORY_BYTES).withDurability(Durability.BUFFERED),
                clock);
    }
}
