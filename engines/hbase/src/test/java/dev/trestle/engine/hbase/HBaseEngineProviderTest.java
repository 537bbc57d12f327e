package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.EngineProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HBaseEngineProviderTest {
    @TempDir
    private Path folder;

    private static void assertRefused(Map<String, String> settings, String sentence) {
        assertThatThrownBy(() -> HBaseEngineProvider.config(settings))
                .isInstanceOfSatisfying(
                        EngineException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(EngineException.Kind.UNAVAILABLE))
                .hasMessage(sentence);
    }

    private static Map<String, String> with(String name, String value) {
        Map<String, String> settings = new HashMap<>(Map.of("hbase-quorum", "zoo:2181"));
        settings.put(name, value);
        return settings;
    }

    @Test
    void it_is_found_by_its_name() {
        assertThat(ServiceLoader.load(EngineProvider.class).stream()
                        .map(provider -> provider.get().name()))
                .contains("hbase");
    }

    @Test
    void a_quorum_is_enough() {
        HBaseEngineConfig config = HBaseEngineProvider.config(Map.of("hbase-quorum", "zoo:2181"));
        assertThat(config.quorum()).hasValue("zoo:2181");
        assertThat(config.configuration()).isEmpty();
        assertThat(config.contentFolder()).isEmpty();
        assertThat(config.namespace()).isEqualTo("trestle");
        assertThat(config.durability()).isEqualTo(HBaseEngineConfig.Durability.SYNCED);
        assertThat(config.answerTime()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.lateWriters()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.limits()).isEqualTo(new HBaseEngineConfig.Limits(10_000, 200, 1024, 32, 1024));
    }

    @Test
    void the_clusters_own_configuration_is_enough_too() throws Exception {
        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
        HBaseEngineConfig config = HBaseEngineProvider.config(Map.of("hbase-conf", folder.toString()));
        assertThat(config.quorum()).isEmpty();
        assertThat(config.configuration()).hasValue(folder);
    }

    @Test
    void every_option_becomes_what_it_says() throws Exception {
        Files.writeString(folder.resolve("hbase-site.xml"), "<configuration/>");
        assertThat(HBaseEngineProvider.config(Map.ofEntries(
                        Map.entry("hbase-quorum", "zoo:2181"),
                        Map.entry("hbase-conf", folder.toString()),
                        Map.entry("hbase-namespace", "mine"),
                        Map.entry("hbase-content-dir", "hdfs://names:8020/blobs"),
                        Map.entry("durability", "buffered"),
                        Map.entry("max-queued-commits", "1"),
                        Map.entry("read-threads", "2"),
                        Map.entry("max-queued-reads", "3"),
                        Map.entry("scan-threads", "4"),
                        Map.entry("max-queued-scans", "5"),
                        Map.entry("something-else", "of no concern"))))
                .isEqualTo(new HBaseEngineConfig(
                        Optional.of("zoo:2181"),
                        Optional.of(folder),
                        "mine",
                        Optional.of("hdfs://names:8020/blobs"),
                        HBaseEngineConfig.Durability.BUFFERED,
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(30),
                        new HBaseEngineConfig.Limits(1, 2, 3, 4, 5)));
    }

    @Test
    void it_has_to_be_told_where_the_cluster_is() {
        assertRefused(
                Map.of(),
                "The HBase engine needs --hbase-quorum HOST:PORT, where the cluster's ZooKeeper is, or --hbase-conf DIR"
                        + " with its hbase-site.xml.");
    }

    @Test
    void a_folder_without_a_configuration_is_refused() {
        assertRefused(
                Map.of("hbase-conf", folder.toString()), "There is no hbase-site.xml to be read in " + folder + ".");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "durability         | never   | --durability is synced or buffered, not never.",
                "max-queued-commits | many    | --max-queued-commits takes a number above zero, not many.",
                "scan-threads       | -1      | --scan-threads takes a number above zero, not -1.",
                "max-queued-commits | 0       | --max-queued-commits takes a number above zero, not 0.",
                "hbase-namespace    | a:b     | --hbase-namespace takes letters, digits and underscores, not a:b."
            })
    void a_wrong_value_is_refused_with_a_sentence(String name, String value, String sentence) {
        assertRefused(with(name, value), sentence);
    }
}
