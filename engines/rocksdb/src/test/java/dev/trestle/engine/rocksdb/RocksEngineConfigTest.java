package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.StorageConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RocksEngineConfigTest {
    private static RocksEngineConfig with(long memoryBytes, long rowCacheBytes) {
        return new RocksEngineConfig(
                Optional.empty(), Durability.SYNCED, memoryBytes, rowCacheBytes, EngineLimits.DEFAULT);
    }

    @Test
    void the_defaults_are_synced_and_half_a_gigabyte() {
        RocksEngineConfig config = RocksEngineConfig.at(Path.of("data"));
        assertThat(config.directory()).hasValue(Path.of("data"));
        assertThat(config.durability()).isEqualTo(Durability.SYNCED);
        assertThat(config.memoryBytes()).isEqualTo(512L << 20);
        assertThat(config.rowCacheBytes()).isEqualTo(16L << 20);
        assertThat(config.limits().commitsQueuedMax()).isEqualTo(8192);
        assertThat(config.limits().commitBytesQueuedMax()).isEqualTo(32L << 20);
        assertThat(config.limits().scansQueuedMax()).isEqualTo(1024);
        assertThat(config.limits().readsQueuedMax()).isEqualTo(1024);
        assertThat(config.scanThreads()).isGreaterThanOrEqualTo(2);
        assertThat(config.readThreads()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void in_memory_has_no_directory() {
        assertThat(RocksEngineConfig.inMemory().directory()).isEmpty();
    }

    @Test
    void every_part_of_the_storage_config_that_applies_is_taken() {
        EngineLimits limits = new EngineLimits(1, 2, 3, 4, OptionalInt.of(5), OptionalInt.of(6));
        RocksEngineConfig config = RocksEngineConfig.of(new StorageConfig(
                Optional.of(Path.of("data")), Durability.BUFFERED, limits, 64L << 20, 9, Optional.empty()));
        assertThat(config)
                .isEqualTo(
                        new RocksEngineConfig(Optional.of(Path.of("data")), Durability.BUFFERED, 64L << 20, 9, limits));
        assertThat(config.scanThreads()).isEqualTo(5);
        assertThat(config.readThreads()).isEqualTo(6);
    }

    @Test
    void too_little_memory_is_refused() {
        assertThatThrownBy(() -> with(RocksEngineConfig.MEMORY_BYTES_MIN - 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> with(RocksEngineConfig.MEMORY_BYTES_MIN, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
