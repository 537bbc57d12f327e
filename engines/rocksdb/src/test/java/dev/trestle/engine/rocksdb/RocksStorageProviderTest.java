package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Storage;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.StorageProvider;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksStorageProviderTest {
    private static Storage open(StorageConfig config) {
        return StorageProvider.find("rocksdb").orElseThrow().open(config, InstantSource.system());
    }

    @Test
    void it_is_found_by_its_name() {
        assertThat(StorageProvider.find("rocksdb")).containsInstanceOf(RocksStorageProvider.class);
        assertThat(StorageProvider.find("nothing")).isEmpty();
    }

    @Test
    void rows_and_contents_share_the_data_folder(@TempDir Path data) {
        Storage storage = open(StorageConfig.at(data));
        try (Engine engine = storage.engine();
                ContentStore contents = storage.contents().get()) {
            assertThat(engine).isInstanceOf(RocksEngine.class);
            assertThat(contents).isNotNull();
            assertThat(storage.telemetry().metrics()).isNotEmpty();
            assertThat(storage.loader()).isEmpty();
            assertThat(storage.ranges()).isEmpty();
        }
        assertThat(data).isDirectoryContaining(path -> path.endsWith("rows"));
        assertThat(data).isDirectoryContaining(path -> path.endsWith("content"));
    }

    @Test
    void a_storage_in_memory_has_contents_too() {
        Storage storage = open(StorageConfig.inMemory());
        try (Engine engine = storage.engine();
                ContentStore contents = storage.contents().get()) {
            assertThat(engine.isShared()).isFalse();
            assertThat(contents).isNotNull();
        }
    }
}
