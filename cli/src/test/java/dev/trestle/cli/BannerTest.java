package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BannerTest {
    private static final String KEY = "c2VjcmV0LW9uZQ==";
    private static final String DEVELOPMENT_KEY = AccountKeys.DEVELOPMENT.keys().get(0);

    @Test
    void the_development_account_gets_strings_that_work_as_they_are() {
        assertThat(banner(10002))
                .startsWith("Trestle ")
                .contains("  Table endpoint     http://127.0.0.1:10002/devstoreaccount1\n")
                .contains("DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=" + DEVELOPMENT_KEY
                        + ";TableEndpoint=http://127.0.0.1:10002/devstoreaccount1"
                        + ";QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1"
                        + ";BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;\n")
                .contains("  Blob endpoint      http://127.0.0.1:10000/devstoreaccount1\n")
                .contains("  Queue endpoint     http://127.0.0.1:10001/devstoreaccount1\n")
                .contains("UseDevelopmentStorage=true")
                .contains("  Data               " + Path.of("trestle-data").toAbsolutePath() + "\n")
                .contains("  Engine             rocksdb\n")
                .contains("  Durability         synced ")
                .contains("  Memory             1024m at most: Java heap 384m, engine 359m\n");
    }

    @Test
    void another_port_is_printed_as_it_is_and_has_no_short_form() {
        assertThat(banner(4711, "--table-port", "0"))
                .contains("http://127.0.0.1:4711/devstoreaccount1;")
                .doesNotContain("UseDevelopmentStorage");
    }

    @Test
    void services_that_are_not_served_are_not_spoken_of() {
        assertThat(banner(10002, "--services", "table"))
                .contains(";TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;\n", "UseDevelopmentStorage=true")
                .doesNotContain("Queue");
    }

    @Test
    void own_accounts_never_show_their_key() {
        assertThat(banner(10002, "--account", "mine:" + KEY, "--account", "yours:" + KEY))
                .contains("AccountName=mine;AccountKey=<your key>;TableEndpoint=http://127.0.0.1:10002/mine;")
                .contains("AccountName=yours;")
                .doesNotContain(KEY);
        assertThat(banner(10002, "--account", "devstoreaccount1:" + DEVELOPMENT_KEY + ":" + KEY))
                .doesNotContain(KEY);
    }

    @Test
    void tls_makes_it_https(@TempDir Path folder) throws IOException {
        String file = Files.writeString(folder.resolve("pem"), "pem").toString();

        assertThat(banner(10002, "--tls-cert", file, "--tls-key", file))
                .contains("DefaultEndpointsProtocol=https;", "TableEndpoint=https://127.0.0.1:10002/devstoreaccount1;")
                .doesNotContain("UseDevelopmentStorage");
    }

    @Test
    void every_address_is_said_in_words_and_given_as_one_that_can_be_used() {
        assertThat(banner(10002, "--host", "0.0.0.0", "--account", "mine:" + KEY))
                .contains("every address of this machine")
                .contains("http://127.0.0.1:10002/mine");
        assertThat(banner(10002, "--host", "::1")).contains("http://[::1]:10002/devstoreaccount1");
    }

    @Test
    void in_memory_promises_nothing() {
        assertThat(banner(10002, "--in-memory"))
                .contains("  Data               in memory, lost when the server stops\n")
                .contains("  Durability         none\n");
    }

    @Test
    void health_and_metrics_are_named_where_they_are_served() {
        assertThat(banner(10002)).contains("  Health, metrics    http://127.0.0.1:10003/health/ready and /metrics\n");
        assertThat(banner(10002, "--admin-host", "::1")).contains(" http://[::1]:10003/health/ready");
        assertThat(banner(10002, "--admin-port", "off")).doesNotContain("metrics");
    }

    @Test
    void an_admin_port_that_others_can_reach_comes_with_a_warning() {
        for (String reachable : List.of("0.0.0.0", "::", "192.0.2.1")) {
            assertThat(banner(10002, "--admin-host", reachable))
                    .contains("  Warning            Others can reach this port, which needs no credentials: allow only")
                    .contains(" or leave out --admin-host.\n");
        }
        for (String own : List.of("127.0.0.1", "127.0.0.2", "::1")) {
            assertThat(banner(10002, "--admin-host", own)).doesNotContain("Warning");
        }
        assertThat(banner(10002, "--admin-host", "0.0.0.0", "--admin-port", "off"))
                .doesNotContain("Warning");
        assertThat(banner(10002, "--host", "0.0.0.0", "--account", "mine:" + KEY))
                .doesNotContain("Warning");
    }

    @Test
    void the_last_line_tells_the_time_and_the_way_out() {
        assertThat(Banner.ready(0.94)).isEqualTo("Ready in 0.9 s. Press Ctrl-C to stop.");
    }

    /** @param port of the tables; queues and blobs are on the ones before it */
    private static String banner(int port, String... options) {
        ServeConfig config = TrestleCommand.run(
                        Stream.concat(Stream.of("serve"), Stream.of(options)).toList(), Map.of())
                .config()
                .orElseThrow();
        OptionalInt adminPort = config.admin().isEmpty() ? OptionalInt.empty() : OptionalInt.of(10003);
        MemoryBudget memory = MemoryBudget.of(config.memoryBytes(), 384L << 20);
        Map<Service, Integer> ports =
                new HashMap<>(Map.of(Service.TABLE, port, Service.QUEUE, port - 1, Service.BLOB, port - 2));
        ports.keySet().retainAll(config.ports().keySet());
        return String.join("\n", new Banner(config, memory, ports, adminPort).lines());
    }
}
