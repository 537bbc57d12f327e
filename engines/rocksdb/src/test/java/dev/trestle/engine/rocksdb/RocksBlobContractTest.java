package dev.trestle.engine.rocksdb;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Durability;
import dev.trestle.engine.Engine;
import dev.trestle.engine.files.LocalContentStore;
import dev.trestle.testkit.AllBlobContracts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Blobs in a data folder: rows in the engine, and larger contents in files beside it. */
class RocksBlobContractTest extends AllBlobContracts {
    private static final long MEMORY_BYTES = 32L << 20;
    private static final int LARGE_BYTES = 40_000;

    @TempDir
    private Path directory;

    @Override
    public Engine open(InstantSource clock) {
        return RocksEngine.open(
                RocksEngineConfig.at(directory).withMemoryBytes(MEMORY_BYTES).withDurability(Durability.BUFFERED),
                clock);
    }

    @Override
    public ContentStore openContents() {
        return LocalContentStore.open(directory, false);
    }

    @Override
    public boolean damageContents() throws IOException {
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
