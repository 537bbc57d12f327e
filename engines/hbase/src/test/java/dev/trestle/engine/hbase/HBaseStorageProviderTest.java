package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.ClusterConfig;
import dev.trestle.engine.Durability;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineLimits;
import dev.trestle.engine.StorageConfig;
import dev.trestle.engine.StorageProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HBaseStorageProviderTest {
    @TempDir
    private Path folder;

    private static void assertRefused(StorageConfig config, String sentence) {
        assertThatThrownBy(() -> new HBaseStorageProvider().open(config, InstantSource.system()))
                .isInstanceOfSatisfying(
                        EngineException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(EngineException.Kind.UNAVAILABLE))
                .hasMessage(sentence);
    }

    private static ClusterConfig at(String quorum, String namespace) {
        return new ClusterConfig(Optional.of(quorum), Optional.empty(), namespace, Optional.empty());
    }

    private static ClusterConfig of(Path configuration) {
        return new ClusterConfig(Optional.empty(), Optional.of(configuration), "trestle", Optional.empty());
    }

    @Test
    void it_is_found_by_its_name() {
        assertThat(StorageProvider.find("hbase")).containsInstanceOf(HBaseStorageProvider.class);
    }

    @Test
    void a_quorum_is_enough() {
        HBaseEngineConfig config = HBaseEngineConfig.of(StorageConfig.in(at("zoo:2181", "trestle")));
        assertThat(config.cluster()).isEqualTo(at("zoo:2181", "trestle"));
        assertThat(config.durability()).isEqualTo(Durability.SYNCED);
        assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.lateWriterGrace()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.limits()).isEqualTo(EngineLimits.DEFAULT);
        assertThat(config.readsInFlightMax()).isEqualTo(200);
        assertThat(config.scansInFlightMax()).isEqualTo(32);
    }

    @Test
    void the_clusters_own_configuration_is_enough_too() throws Exception {
        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
        HBaseEngineConfig config = HBaseEngineConfig.of(StorageConfig.in(of(folder)));
        assertThat(config.cluster().quorum()).isEmpty();
        assertThat(config.cluster().configuration()).hasValue(folder);
    }

    @Test
    void every_part_of_the_storage_config_that_applies_is_taken() throws Exception {
        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
        ClusterConfig cluster = new ClusterConfig(
                Optional.of("zoo:2181"), Optional.of(folder), "mine", Optional.of("hdfs://names:8020/blobs"));
        EngineLimits limits = new EngineLimits(1, 6, 5, 3, OptionalInt.of(4), OptionalInt.of(2));
        HBaseEngineConfig config = HBaseEngineConfig.of(
                new StorageConfig(Optional.empty(), Durability.BUFFERED, limits, 64L << 20, 9, Optional.of(cluster)));
        assertThat(config)
                .isEqualTo(new HBaseEngineConfig(
                        cluster, Durability.BUFFERED, limits, Duration.ofSeconds(20), Duration.ofSeconds(30)));
        assertThat(config.isSynced()).isFalse();
        assertThat(config.readsInFlightMax()).isEqualTo(2);
        assertThat(config.scansInFlightMax()).isEqualTo(4);
    }

    @Test
    void it_has_to_be_told_where_the_cluster_is() {
        assertRefused(
                StorageConfig.inMemory(),
                "The HBase engine needs --hbase-quorum HOST:PORT, where the cluster's ZooKeeper is, or --hbase-conf DIR"
                        + " with its hbase-site.xml.");
    }

    @Test
    void a_folder_without_a_configuration_is_refused() {
        assertRefused(StorageConfig.in(of(folder)), "There is no hbase-site.xml to be read in " + folder + ".");
    }

    @Test
    void a_wrong_namespace_is_refused_with_a_sentence() {
        assertRefused(
                StorageConfig.in(at("zoo:2181", "a:b")),
                "--hbase-namespace takes letters, digits and underscores, not a:b.");
    }
}
