package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.EngineException;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.TimeLimits;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Admission control: the responses when limits are exceeded. */
class OverloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ModelEngine engine = new ModelEngine(InstantSource.system());

    @Test
    void requests_over_the_limit_of_the_account_are_told_to_come_back() throws Exception {
        // So few that the test cannot be slow enough to get another one.
        RateLimits limits = new RateLimits(OptionalInt.of(1), OptionalInt.empty());
        try (RunningServer server = limited(limits)) {
            HttpResponse<String> answer = server.createTable("orders");
            for (int i = 0; answer.statusCode() != 503 && i < 1000; i++) {
                answer = server.createTable("orders");
            }

            assertBusy(answer);
            assertThat(answer.body()).contains("Operations per second is over the account limit.");
            assertThat(server.metrics()).contains("trestle_throttled_requests_total{limit=\"account\"} 1.0");
        }
    }

    @Test
    void the_entities_of_a_transaction_count_one_by_one_against_their_partition() throws Exception {
        RateLimits limits = new RateLimits(OptionalInt.empty(), OptionalInt.of(1));
        try (RunningServer server = limited(limits)) {
            server.createTable("orders");

            // A full bucket lets it pass, and then owes for a minute and more.
            assertThat(server.transact("orders", "eu", 100).statusCode()).isEqualTo(202);
            assertBusy(server.transact("orders", "eu", 1));
            assertBusy(server.insert("orders", "eu", "1"));
            assertBusy(server.query("orders", "PartitionKey eq 'eu'"));
            assertThat(server.insert("orders", "us", "1").statusCode()).isEqualTo(201);
            assertThat(server.query("orders", "PartitionKey ge 'eu'").statusCode())
                    .as("across partitions")
                    .isEqualTo(200);
        }
    }

    @Test
    void an_engine_that_is_overloaded_refuses_a_transaction_as_a_whole() throws Exception {
        FaultyEngine faulty = new FaultyEngine(engine);
        try (RunningServer server = new RunningServer(faulty)) {
            server.createTable("orders");
            faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.OVERLOADED);

            assertBusy(server.transact("orders", "eu", 2));
        }
    }

    @Test
    void a_full_disk_is_told_in_a_sentence_to_single_writes_and_to_transactions() throws Exception {
        FaultyEngine faulty = new FaultyEngine(engine);
        try (RunningServer server = new RunningServer(faulty)) {
            server.createTable("orders");
            faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.FULL);
            faulty.failNext(FaultyEngine.Call.COMMIT, EngineException.Kind.FULL);

            for (HttpResponse<String> answer :
                    List.of(server.insert("orders", "eu", "1"), server.transact("orders", "eu", 2))) {
                assertBusy(answer);
                assertThat(answer.body()).contains("The disk of the server is full.");
            }
        }
    }

    @Test
    void bodies_beyond_the_memory_for_them_are_told_to_come_back() throws Exception {
        HttpConfig config = new HttpConfig(10, 100, RateLimits.NONE);
        try (RunningServer server = new RunningServer(engine, config, Optional.empty())) {
            assertThat(server.createTable("orders").statusCode()).isEqualTo(201);
            assertBusy(server.transact("orders", "eu", 10));
            assertThat(server.insert("orders", "eu", "1").statusCode()).isEqualTo(201);
            assertThat(server.metrics()).contains("trestle_buffered_body_bytes 0.0");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultyEngine.Call.class,
            names = {"READ", "SCAN", "COMMIT"})
    void an_engine_that_is_overloaded_is_told_of_with_the_time_to_wait(FaultyEngine.Call call) throws Exception {
        FaultyEngine faulty = new FaultyEngine(engine);
        try (RunningServer server = new RunningServer(faulty)) {
            server.createTable("orders");
            faulty.failNext(call, EngineException.Kind.OVERLOADED);

            assertBusy(
                    switch (call) {
                        case READ -> server.get("orders", "eu", "1");
                        case SCAN -> server.query("orders", "PartitionKey eq 'eu'");
                        default -> server.insert("orders", "eu", "1");
                    });
            assertThat(server.insert("orders", "eu", "1").statusCode()).isEqualTo(201);
        }
    }

    @Test
    void large_answers_beyond_the_memory_for_them_are_told_to_come_back() throws Exception {
        HttpConfig config = HttpConfig.DEFAULT.withResponseBytesMax(1);
        try (RunningServer server = new RunningServer(engine, config, Optional.empty())) {
            server.createTable("orders");
            server.insertLarge("orders", "eu", "small", 10_000);
            server.insertLarge("orders", "eu", "large", 100_000);

            assertThat(server.get("orders", "eu", "small").statusCode()).isEqualTo(200);
            assertBusy(server.get("orders", "eu", "large"));
            assertThat(server.query("orders", "RowKey eq 'small'").statusCode()).isEqualTo(200);
            assertThat(server.metrics())
                    .contains("trestle_buffered_response_bytes 0.0", "trestle_buffered_response_limit_bytes 1.0");
        }
    }

    @Test
    void a_body_that_never_begins_ends_its_connection() throws Exception {
        Duration second = Duration.ofSeconds(1);
        Duration minute = Duration.ofMinutes(1);
        HttpConfig config = HttpConfig.DEFAULT.withTimes(new TimeLimits(second, minute, minute, minute, minute));
        try (RunningServer server = new RunningServer(engine, config, Optional.empty());
                Socket client = connect(server)) {
            String head = "POST /devstoreaccount1/Tables?" + GuardedServer.owner()
                    + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n";
            client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            client.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_head_that_never_ends_ends_its_connection_however_steadily_it_comes() throws Exception {
        Duration second = Duration.ofSeconds(1);
        Duration minute = Duration.ofMinutes(1);
        HttpConfig config = HttpConfig.DEFAULT.withTimes(new TimeLimits(minute, minute, minute, second, minute));
        try (RunningServer server = new RunningServer(engine, config, Optional.empty());
                Socket client = connect(server)) {
            client.setSoTimeout(10);
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\nx-slow: ".getBytes(StandardCharsets.US_ASCII));
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            boolean ended = false;
            while (!ended && System.nanoTime() < deadline) {
                ended = endedAfterOneMore(client);
            }
            assertThat(ended).isTrue();
        }
    }

    private static boolean endedAfterOneMore(Socket client) {
        try {
            client.getOutputStream().write('x');
            return client.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // Written to after the end.
            return true;
        }
    }

    @Test
    void a_head_counts_for_as_long_as_its_body_is_waited_for() throws Exception {
        HttpConfig config = new HttpConfig(10, 256 << 10, RateLimits.NONE);
        String head = "POST /devstoreaccount1/Tables?" + GuardedServer.owner() + "&" + "x".repeat(150_000)
                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n";
        try (RunningServer server = new RunningServer(engine, config, Optional.empty());
                Socket first = connect(server);
                Socket second = connect(server)) {
            first.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            server.awaitMetric("trestle_requests_in_flight 1.0\n");
            second.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(endedAfter(second, head))
                    .as("there is no room for another")
                    .isTrue();
            assertThat(server.createTable("small").statusCode()).isEqualTo(201);
        }
    }

    private static boolean endedAfter(Socket client, String request) throws IOException {
        try {
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return client.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            // Closed with bytes still unread.
            return true;
        }
    }

    private RunningServer limited(RateLimits limits) {
        return new RunningServer(engine, new HttpConfig(10, 1 << 20, limits), Optional.empty());
    }

    private static Socket connect(RunningServer server) throws Exception {
        return new Socket(InetAddress.getLoopbackAddress(), server.tablePort());
    }

    private static void assertBusy(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.headers().firstValue("x-ms-error-code")).contains("ServerBusy");
        assertThat(answer.body()).contains("ServerBusy");
    }
}
