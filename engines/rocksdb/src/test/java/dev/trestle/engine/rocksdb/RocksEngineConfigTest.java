package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RocksEngineConfigTest {
    @Test
    void the_defaults_are_synced_and_half_a_gigabyte() {
        RocksEngineConfig config = RocksEngineConfig.at(Path.of("data"));
        assertThat(config.directory()).hasValue(Path.of("data"));
        assertThat(config.durability()).isEqualTo(RocksEngineConfig.Durability.SYNCED);
        assertThat(config.memoryBytes()).isEqualTo(512L << 20);
        assertThat(config.rowCacheBytes()).isEqualTo(16L << 20);
        assertThat(config.commitsQueuedMax()).isEqualTo(8192);
        assertThat(config.commitBytesQueuedMax()).isEqualTo(32L << 20);
        assertThat(config.scansQueuedMax()).isEqualTo(1024);
        assertThat(config.readsQueuedMax()).isEqualTo(1024);
    }

    @Test
    void in_memory_has_no_directory() {
        assertThat(RocksEngineConfig.inMemory().directory()).isEmpty();
    }

    @Test
    void what_may_wait_and_how_much_is_done_at_once_can_be_changed() {
        RocksEngineConfig config = RocksEngineConfig.inMemory()
                .withQueues(1, 2, 3, 4)
                .withThreads(5, 6)
                .withRowCacheBytes(9);
        assertThat(config)
                .isEqualTo(new RocksEngineConfig(
                        Optional.empty(), RocksEngineConfig.Durability.SYNCED, 512L << 20, 9, 1, 2, 5, 3, 6, 4));
    }

    @Test
    void too_little_memory_is_refused() {
        assertThatThrownBy(() -> RocksEngineConfig.inMemory().withMemoryBytes(1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
