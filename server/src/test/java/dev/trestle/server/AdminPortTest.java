package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.Storage;
import dev.trestle.server.admin.AccessLogConfig;
import dev.trestle.server.admin.AccessLogFormat;
import dev.trestle.server.admin.AdminConfig;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.ModelEngine;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port of health and metrics beside that of the data, both real. */
class AdminPortTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ModelEngine engine = new ModelEngine(InstantSource.system());

    @Test
    void a_server_that_takes_writes_is_live_and_ready() throws Exception {
        try (RunningServer server = new RunningServer(engine)) {
            assertThat(server.admin("GET", "/health/live").statusCode()).isEqualTo(200);
            HttpResponse<String> ready = server.admin("GET", "/health/ready");
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(ready.body()).isEqualTo("The server takes reads and writes.\n");
            assertThat(server.admin("HEAD", "/health/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_server_whose_engine_takes_no_writes_is_live_but_not_ready() throws Exception {
        FaultyEngine faulty = new FaultyEngine(engine);
        faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        try (RunningServer server = new RunningServer(faulty)) {
            HttpResponse<String> ready = server.admin("GET", "/health/ready");

            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).isEqualTo("The storage takes no writes.\n");
            assertThat(server.admin("GET", "/health/live").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void what_happened_shows_in_the_metrics() throws Exception {
        try (RunningServer server = new RunningServer(engine)) {
            server.createTable("orders");
            server.insert("orders", "eu", "1");
            server.insert("orders", "eu", "1");
            server.query("orders", "PartitionKey eq 'eu' and Qty gt 5");
            server.transact("orders", "us", 3);

            assertEventually(
                    server,
                    "trestle_requests_total{error=\"\",operation=\"CreateTable\",service=\"table\",status=\"201\"} 1.0",
                    "trestle_requests_total{error=\"\",operation=\"InsertEntity\",service=\"table\",status=\"201\"} 1.0",
                    "trestle_requests_total{error=\"EntityAlreadyExists\",operation=\"InsertEntity\",service=\"table\",status=\"409\"} 1.0",
                    "trestle_requests_total{error=\"\",operation=\"EntityGroupTransaction\",service=\"table\",status=\"202\"} 1.0",
                    "trestle_request_duration_seconds_count{operation=\"QueryEntities\",service=\"table\"} 1",
                    "trestle_query_plans_total{plan=\"partition scan\"} 1.0",
                    "trestle_query_rows_examined_total{plan=\"partition scan\"} 1.0",
                    "trestle_query_rows_returned_total{plan=\"partition scan\"} 0.0",
                    "trestle_connections_limit 10000.0",
                    "trestle_requests_in_flight 0.0",
                    "trestle_buffered_body_bytes 0.0");
            assertThat(server.admin("GET", "/metrics").headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
        }
    }

    @Test
    void a_failure_within_a_transaction_is_counted_with_its_code() throws Exception {
        try (RunningServer server = new RunningServer(engine)) {
            server.createTable("orders");
            server.transact("orders", "eu", 2);
            server.transact("orders", "eu", 2);

            assertEventually(
                    server,
                    "trestle_requests_total{error=\"EntityAlreadyExists\",operation=\"EntityGroupTransaction\",service=\"table\",status=\"202\"} 1.0");
        }
    }

    @Test
    void unknown_paths_and_other_methods_are_refused_with_a_sentence() throws Exception {
        try (RunningServer server = new RunningServer(engine)) {
            for (String path : List.of("/", "/metrics/", "/health", "/devstoreaccount1/Tables", "/../metrics")) {
                HttpResponse<String> answer = server.admin("GET", path);
                assertThat(answer.statusCode()).isEqualTo(404);
                assertThat(answer.body())
                        .isEqualTo("There is nothing here; this port has /health/live, /health/ready and /metrics.\n");
            }
            HttpResponse<String> answer = server.admin("DELETE", "/metrics");
            assertThat(answer.statusCode()).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
        }
    }

    @Test
    void the_port_of_the_data_has_no_health_and_no_metrics() throws Exception {
        try (RunningServer server = new RunningServer(engine)) {
            for (String path : List.of("/metrics", "/health/live", "/health/ready")) {
                HttpResponse<String> answer = server.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.tablePort() + path)));
                assertThat(answer.statusCode()).isBetween(400, 499);
                assertThat(answer.body()).doesNotContain("trestle_");
            }
        }
    }

    @Test
    void idle_connections_do_not_keep_others_from_the_port() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (RunningServer server = new RunningServer(engine)) {
            for (int i = 0; i < 200; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), server.adminPort()));
                String request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
                if (i % 50 == 49) {
                    assertThat(GuardedServer.answers(server.adminPort(), request)
                                    .get(0)
                                    .status())
                            .isEqualTo(200);
                }
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void without_an_admin_port_there_is_none() {
        ServerConfig config = new ServerConfig("127.0.0.1", Accounts.DEVELOPMENT, Optional.empty(), false);
        try (TrestleServer server = TrestleServer.start(config, Storage.of(engine))) {
            assertThat(server.adminPort()).isEmpty();
        }
    }

    @Test
    void a_port_that_is_taken_is_told_with_the_option_that_helps() {
        try (RunningServer server = new RunningServer(engine)) {
            ServerConfig config = new ServerConfig(
                    "127.0.0.1",
                    ServerConfig.FREE_PORTS,
                    Accounts.DEVELOPMENT,
                    Optional.empty(),
                    false,
                    HttpConfig.DEFAULT,
                    Optional.of(new AdminConfig("127.0.0.1", server.adminPort())),
                    Optional.empty(),
                    Optional.empty(),
                    BlobConfig.DEFAULT,
                    SocketTransport.AUTO);
            assertThatThrownBy(() -> TrestleServer.start(config, Storage.of(engine)))
                    .isInstanceOf(ServerStartException.class)
                    .hasMessageStartingWith("Cannot serve health and metrics on 127.0.0.1:" + server.adminPort())
                    .hasMessageContaining("--admin-port off");
        }
    }

    @Test
    void every_request_leaves_a_line_without_its_signature(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("access.log");
        Optional<AccessLogConfig> log = Optional.of(new AccessLogConfig(AccessLogFormat.TEXT, Optional.of(file)));
        try (RunningServer server = new RunningServer(engine, HttpConfig.DEFAULT, log)) {
            server.createTable("orders");
            server.insert("orders", "eu", "1");
            server.query("orders", "PartitionKey eq 'eu'");
            server.send(HttpRequest.newBuilder(server.table("/orders()"))
                    .header("Authorization", "SharedKeyLite devstoreaccount1:c2VjcmV0"));
            assertEventually(server, "trestle_access_log_dropped_lines_total 0.0");
        }

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1))
                .contains(" clientRequestId=client-1 clientAddress=127.0.0.1 account=devstoreaccount1"
                        + " operation=InsertEntity table=orders status=201 milliseconds=");
        assertThat(lines.get(2))
                .contains(" operation=QueryEntities table=orders status=200 ")
                .endsWith(" plan=\"partition scan 'eu'\" rowsExamined=1 rowsReturned=1"
                        + " filter=\"PartitionKey eq 'eu'\"");
        assertThat(lines.get(3)).contains(" operation=Unknown status=403 errorCode=AuthenticationFailed ");
        assertThat(String.join("\n", lines)).doesNotContain("c2VjcmV0", RunningServer.SIGNATURE, "p8wax4a", "sig");
    }

    /** A request is counted just after its response is written, so a client may read the metrics before that. */
    private static void assertEventually(RunningServer server, String... lines) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> seen = server.metrics().lines().toList();
        while (!seen.containsAll(List.of(lines)) && System.nanoTime() < deadline) {
            seen = server.metrics().lines().toList();
        }
        assertThat(seen).contains(lines);
    }
}
