package dev.trestle.engine.rocksdb;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.files.FileContentStore;
import dev.trestle.testkit.BlobContentContract;
import dev.trestle.testkit.BlobGuardContract;
import dev.trestle.testkit.BlobListContract;
import dev.trestle.testkit.BlobUpkeepContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Blobs in a data folder: rows in the engine, and larger contents in files beside it. */
class RocksBlobContractTest {
    private static final long MEMORY_BYTES = 32L << 20;
    private static final int LARGE_BYTES = 40_000;

    @TempDir
    private Path directory;

    private Engine openRows(InstantSource clock) {
        return RocksEngine.open(
                RocksEngineConfig.at(directory)
                        .withMemoryBytes(MEMORY_BYTES)
                        .withDurability(RocksEngineConfig.Durability.BUFFERED),
                clock);
    }

    private ContentStore openFiles() {
        return FileContentStore.open(directory, false);
    }

    @Nested
    class Contents extends BlobContentContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openRows(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openFiles();
        }
    }

    @Nested
    class Guards extends BlobGuardContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openRows(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openFiles();
        }
    }

    @Nested
    class Lists extends BlobListContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openRows(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openFiles();
        }
    }

    @Nested
    class Upkeep extends BlobUpkeepContract {
        @Override
        protected Engine open(InstantSource clock) {
            return openRows(clock);
        }

        @Override
        protected ContentStore openContents() {
            return openFiles();
        }

        @Override
        protected boolean damageContents() throws IOException {
            List<Path> large;
            try (Stream<Path> all = Files.walk(directory.resolve("content"))) {
                large = all.filter(Files::isRegularFile)
                        .filter(file -> file.toFile().length() > LARGE_BYTES)
                        .toList();
            }
            for (Path file : large) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[LARGE_BYTES / 2] ^= 1;
                Files.write(file, bytes);
            }
            return true;
        }
    }
}
