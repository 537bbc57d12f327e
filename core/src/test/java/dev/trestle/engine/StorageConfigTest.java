package dev.trestle.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageConfigTest {
    @Test
    void the_defaults_differ_only_in_where_the_data_is() {
        ClusterConfig cluster = new ClusterConfig(Optional.of("zoo"), Optional.empty(), "trestle", Optional.empty());
        assertThat(StorageConfig.inMemory())
                .isEqualTo(new StorageConfig(
                        Optional.empty(),
                        Durability.SYNCED,
                        new EngineLimits(8192, 32L << 20, 1024, 1024, OptionalInt.empty(), OptionalInt.empty()),
                        512L << 20,
                        16L << 20,
                        Optional.empty()));
        assertThat(StorageConfig.at(Path.of("data")).folder()).hasValue(Path.of("data"));
        assertThat(StorageConfig.at(Path.of("data")).cluster()).isEmpty();
        assertThat(StorageConfig.in(cluster).cluster()).hasValue(cluster);
        assertThat(StorageConfig.in(cluster).folder()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void every_limit_is_at_least_one(int zero) {
        int[] limits = {1, 1, 1, 1, 1, 1};
        limits[zero] = 0;
        assertThatThrownBy(() -> new EngineLimits(
                        limits[0],
                        limits[1],
                        limits[2],
                        limits[3],
                        OptionalInt.of(limits[4]),
                        OptionalInt.of(limits[5])))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
