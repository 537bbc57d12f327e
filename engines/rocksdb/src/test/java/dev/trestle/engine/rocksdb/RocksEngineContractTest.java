package dev.trestle.engine.rocksdb;

import dev.trestle.engine.Engine;
import dev.trestle.testkit.CommitContract;
import dev.trestle.testkit.DropContract;
import dev.trestle.testkit.DurabilityContract;
import dev.trestle.testkit.HistoryContract;
import dev.trestle.testkit.QueueContract;
import dev.trestle.testkit.RandomHistoryContract;
import dev.trestle.testkit.ReadContract;
import dev.trestle.testkit.ScanContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The engine contract: in memory where nothing has to survive, which is faster, and on disk where it has to. */
class RocksEngineContractTest {
    private static final long MEMORY_BYTES = 32L << 20;

    @TempDir
    private Path directory;

    private static Engine openInMemory(InstantSource clock) {
        return RocksEngine.open(RocksEngineConfig.inMemory().withMemoryBytes(MEMORY_BYTES), clock);
    }

    private Engine openOnDisk(InstantSource clock) {
        return RocksEngine.open(RocksEngineConfig.at(directory).withMemoryBytes(MEMORY_BYTES), clock);
    }

    @Nested
    class Reads extends ReadContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openInMemory(clock);
        }
    }

    @Nested
    class Scans extends ScanContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openInMemory(clock);
        }
    }

    @Nested
    class Commits extends CommitContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openInMemory(clock);
        }
    }

    @Nested
    class Drops extends DropContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openInMemory(clock);
        }
    }

    @Nested
    class SyncedDurability extends DurabilityContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openOnDisk(clock);
        }
    }

    @Nested
    class BufferedDurability extends DurabilityContract {
        @Override
        protected Engine open(InstantSource clock) {
            return RocksEngine.open(
                    RocksEngineConfig.at(directory)
                            .withMemoryBytes(MEMORY_BYTES)
                            .withDurability(RocksEngineConfig.Durability.BUFFERED),
                    clock);
        }
    }

    @Nested
    class RandomHistories extends RandomHistoryContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openOnDisk(clock);
        }
    }

    @Nested
    class Histories extends HistoryContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openInMemory(clock);
        }
    }

    @Nested
    class Queues extends QueueContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openOnDisk(clock);
        }
    }
}
