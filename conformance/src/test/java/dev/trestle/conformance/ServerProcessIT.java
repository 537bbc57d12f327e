package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import dev.trestle.conformance.TrestleProcess.Ended;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server starts, refuses to start, and stops. */
class ServerProcessIT {
    /** The exit code after SIGTERM. */
    private static final int ENDED_BY_SIGTERM = 128 + 15;

    @TempDir
    private Path folder;

    @Test
    void the_banner_says_what_one_needs_to_connect() {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            assertThat(server.port()).isPositive();
            assertThat(server.log())
                    .contains(
                            "Table endpoint     " + server.endpoint(),
                            server.connectionString(),
                            folder.toString(),
                            "rocksdb",
                            "synced");
            Sdk.newTable(server).createEntity(new TableEntity("p", "r"));
        }
    }

    @Test
    void a_second_server_on_the_same_folder_is_refused() {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableClient table = Sdk.newTable(server);
            Ended second = TrestleProcess.run("serve", "--table-port", "0", "--data", folder.toString());
            assertThat(second.code()).isEqualTo(1);
            assertThat(second.output())
                    .contains(folder.toString())
                    .contains("use")
                    .doesNotContain("\tat ");
            assertThat(second.output().lines().count()).isEqualTo(1);
            table.createEntity(new TableEntity("p", "r"));
        }
    }

    @Test
    void a_port_that_is_taken_is_refused() {
        try (TrestleProcess server = TrestleProcess.inMemory()) {
            Ended second = TrestleProcess.run("serve", "--in-memory", "--table-port", Integer.toString(server.port()));
            assertThat(second.code()).isEqualTo(1);
            assertThat(second.output())
                    .contains(Integer.toString(server.port()), "--table-port")
                    .doesNotContain("\tat ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--tabel-port=0, --table-port",
        "--table-port=70000, 70000",
        "--durability=often, often",
        "--account=nokey, account",
        "--tls-cert=no-such-cert.pem, no-such-cert.pem",
        "--host=0.0.0.0, --allow-development-key",
        "--config=no-such-file.properties, no-such-file.properties",
        "--memory=300m, --memory 616m",
        "--max-request-memory=1g, a Java heap of 384m",
    })
    void what_cannot_be_served_is_told_in_a_sentence(String option, String named) {
        Ended ended = TrestleProcess.run("serve", "--in-memory", option);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.output()).contains(named).doesNotContain("\tat ").endsWith(".");
    }

    @Test
    void help_and_version_are_had_without_a_server() {
        assertThat(TrestleProcess.run("--help").output()).contains("serve");
        assertThat(TrestleProcess.run("serve", "--help").output()).contains("--table-port", "--in-memory");
        Ended version = TrestleProcess.run("--version");
        assertThat(version.code()).isZero();
        assertThat(version.output()).startsWith("Trestle ");
    }

    @Test
    void classes_are_loaded_from_the_archive_of_the_build() throws IOException {
        Path loaded = folder.resolve("loaded");
        assertThat(TrestleProcess.runByLauncherWith("-Xlog:class+load:file=" + loaded, "--version")
                        .code())
                .isZero();
        assertThat(Files.readString(loaded)).contains("dev.trestle.cli.Main source: shared objects file (top)");
    }

    @Test
    void a_killed_server_leaves_nothing_in_the_temporary_folder() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Path data = folder.resolve("data");
        try (TrestleProcess server =
                TrestleProcess.startByLauncherWith("-Djava.io.tmpdir=" + temporary, "--data", data.toString())) {
            Sdk.service(server).createTable(SharedServer.newTableName());
            server.kill();
        }
        assertThat(temporary).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void the_transport_is_the_one_of_the_option(String transport) {
        try (TrestleProcess server = TrestleProcess.start("--in-memory", "--transport", transport)) {
            assertServes(server);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linux_has_epoll() {
        try (TrestleProcess server = TrestleProcess.start("--in-memory", "--transport", "epoll")) {
            assertServes(server);
        }
    }

    /** Kernels and containers may forbid io_uring. Then the server exits with a sentence. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void io_uring_serves_or_is_refused_with_a_sentence() {
        try (TrestleProcess server = TrestleProcess.launch("--in-memory", "--transport", "io_uring")) {
            Deadline.await(
                    server::log, () -> server.isReady() || !server.process().isAlive());
            if (server.isReady()) {
                assertServes(server);
            } else {
                assertThat(server.process().awaitExit()).isEqualTo(1);
                assertTransportRefused("io_uring", server.log());
            }
        }
    }

    private static void assertServes(TrestleProcess server) {
        TableClient table = Sdk.service(server).createTable(SharedServer.newTableName());
        table.createEntity(new TableEntity("p", "r"));
        assertThat(table.listEntities()).hasSize(1);
    }

    private static void assertTransportRefused(String transport, String output) {
        assertThat(output)
                .contains("This system has no " + transport + " for the server to use")
                .contains("--transport auto")
                .doesNotContain("\tat ");
    }

    @Test
    void where_native_code_cannot_be_loaded_the_server_uses_nio() {
        String nothingNative = "-Dio.netty.transport.noNative=true";
        try (TrestleProcess server = TrestleProcess.startByLauncherWith(nothingNative, "--in-memory")) {
            Sdk.service(server).createTable(SharedServer.newTableName());
        }
        for (String transport : List.of("io_uring", "epoll")) {
            Ended refused = TrestleProcess.runByLauncherWith(
                    nothingNative, "serve", "--in-memory", "--table-port", "0", "--transport", transport);
            assertThat(refused.code()).isEqualTo(1);
            assertTransportRefused(transport, refused.output());
        }
    }

    @Test
    void data_are_in_trestle_data_unless_told_otherwise() throws IOException {
        String table = SharedServer.newTableName();
        try (TrestleProcess server = TrestleProcess.startIn(folder)) {
            Sdk.service(server).createTable(table);
            assertThat(server.stop()).isEqualTo(ENDED_BY_SIGTERM);
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("trestle-data"));
        }
        try (TrestleProcess server = TrestleProcess.startIn(folder)) {
            Sdk.service(server).getTableClient(table).createEntity(new TableEntity("p", "r"));
        }
    }

    @Test
    void a_server_in_memory_leaves_nothing_behind() throws IOException {
        String table = SharedServer.newTableName();
        try (TrestleProcess server = TrestleProcess.startIn(folder, "--in-memory")) {
            Sdk.service(server).createTable(table).createEntity(new TableEntity("p", "r"));
            assertThat(server.stop()).isEqualTo(ENDED_BY_SIGTERM);
        }
        assertThat(folder).isEmptyDirectory();
        try (TrestleProcess server = TrestleProcess.startIn(folder, "--in-memory")) {
            Sdk.refused(
                    404,
                    "TableNotFound",
                    () -> Sdk.service(server).getTableClient(table).getEntity("p", "r"));
        }
    }

    @Test
    void a_request_in_flight_is_finished_before_the_end() throws IOException {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableClient table = Sdk.newTable(server);
            RawRequest insert = RawRequest.of("POST", "/" + table.getTableName())
                    .with("Expect", "100-continue")
                    .json("{\"PartitionKey\":\"p\",\"RowKey\":\"in flight\"}");
            byte[] bytes = insert.bytes();
            int head = bytes.length - insert.body().length;
            try (RawConnection connection = new RawConnection(server)) {
                connection.send(Arrays.copyOf(bytes, head));
                // The server asks for the body, so it has started the request.
                assertThat(connection.response().status()).isEqualTo(100);
                server.process().terminate();
                Deadline.await(() -> "still accepting connections", () -> refusesConnections(server));
                connection.send(insert.body());
                assertThat(connection.response().status()).isEqualTo(201);
            }
            assertThat(server.process().awaitExit()).isEqualTo(ENDED_BY_SIGTERM);
            assertThat(server.log()).contains("Stopped.").doesNotContain(" ERROR ");
        }
    }

    private static boolean refusesConnections(TrestleProcess server) {
        try {
            new RawConnection(server).close();
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    @Test
    void connections_that_are_only_open_do_not_hold_up_the_end() throws IOException {
        try (TrestleProcess server = TrestleProcess.inMemory();
                RawConnection silent = new RawConnection(server);
                RawConnection idle = new RawConnection(server)) {
            assertThat(idle.exchange(RawRequest.of("GET", "/Tables")).status()).isEqualTo(200);
            long before = System.nanoTime();
            assertThat(server.stop()).isEqualTo(ENDED_BY_SIGTERM);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
            assertThat(idle.readToEnd()).isEmpty();
            assertThat(silent.readToEnd()).isEmpty();
        }
    }

    @Test
    void a_stopped_server_is_gone() {
        try (TrestleProcess server = TrestleProcess.inMemory()) {
            server.stop();
            assertThat(server.process().isAlive()).isFalse();
            assertThatThrownBy(() -> new RawConnection(server).close()).isInstanceOf(ConnectException.class);
        }
    }
}
