package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * However many clients ask too much, too slowly or without listening, the server as its users start it stays inside its
 * memory and serves everybody else. {@code -Dbounded.scale=10} misbehaves ten times as long.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc")
class BoundedIT {
    private static final long BUDGET_BYTES = 1L << 30;
    private static final int SCALE = Integer.getInteger("bounded.scale", 1);
    private static final String TABLE = "bounded";
    private static final int BODY_BYTES_MAX = 4 << 20;

    /** A page of these is as large as pages get. */
    private static final int PAGE_ENTITIES = 1000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RawConnection> opened = new ArrayList<>();
    private @Nullable TrestleProcess started;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        started = TrestleProcess.startByLauncher("--data", folder.toString());
        createTable(server());
        String text = "x".repeat(4000);
        try (RawConnection connection = new RawConnection(server())) {
            for (int from = 0; from < PAGE_ENTITIES; from += 100) {
                assertThat(connection
                                .exchange(batch("page", from, row -> "\"Text\":\"" + text + "\""))
                                .status())
                        .isEqualTo(202);
            }
        }
    }

    @AfterAll
    void stop() {
        threads.shutdownNow();
        server().close();
        assertThat(server().log()).doesNotContain(" ERROR ");
    }

    @BeforeEach
    @AfterEach
    void nothing_is_left_of_what_was_before() throws IOException {
        for (RawConnection connection : opened) {
            connection.close();
        }
        opened.clear();
        for (String level : List.of(
                "trestle_connections",
                "trestle_requests_in_flight",
                "trestle_buffered_body_bytes",
                "trestle_buffered_response_bytes")) {
            Deadline.await(() -> level + " " + server().metric(level), () -> server().metric(level) == 0);
        }
    }

    @AfterEach
    void memory_was_never_beyond_the_budget(TestInfo test) {
        assertThat(server().process().isAlive()).as(server().log()).isTrue();
        long peak = ProcessFigures.of(server()).residentBytesPeak();
        System.out.printf("%s: at most %d MiB so far%n", test.getDisplayName(), peak >> 20);
        assertThat(peak).isLessThan(BUDGET_BYTES);
        assertThat(server().metric("trestle_memory_limit_bytes")).isEqualTo(BUDGET_BYTES);
        assertThat(server().admin("/health/ready")).isEqualTo("The server takes reads and writes.\n");
    }

    private TrestleProcess server() {
        return Objects.requireNonNull(started);
    }

    @Test
    void thousands_of_idle_connections() throws IOException {
        int connections = 5000;
        String halfHead = "GET /devstoreaccount1/Tables HTTP/1.1\r\nHost: 127.0.0.1\r\nx-long: " + "y".repeat(1000);
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            for (int i = 0; i < connections; i++) {
                RawConnection connection = open();
                if (i % 2 == 0) {
                    connection.send(halfHead);
                }
            }
            Deadline.await(
                    () -> server().metric("trestle_connections") + " connections",
                    () -> server().metric("trestle_connections") > connections);
            steady.awaitRounds(20);
            RawConnection any = opened.get(1);
            assertThat(any.exchange(RawRequest.of("GET", "/Tables")).status())
                    .as("an idle connection that asks at last")
                    .isEqualTo(200);
        }
    }

    @Test
    void heads_that_never_end() throws IOException {
        String line = "GET /devstoreaccount1/Tables?x=" + "y".repeat(200_000);
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            for (int i = 0; i < 1000; i++) {
                sendUnlessClosed(open(), line);
            }
            steady.awaitRounds(10);
            assertThat(server().metric("trestle_buffered_body_bytes"))
                    .isLessThanOrEqualTo(server().metric("trestle_buffered_body_limit_bytes"));
        }
    }

    @Test
    void slow_readers_of_large_pages() throws Exception {
        byte[] query = RawRequest.of("GET", "/" + TABLE + "()?$filter=PartitionKey%20eq%20'page'")
                .bytes();
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            List<RawConnection> readers = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                RawConnection reader = RawConnection.narrow(server());
                opened.add(reader);
                readers.add(reader);
                reader.send(query);
            }
            for (int round = 0; round < 10 * SCALE; round++) {
                for (RawConnection reader : readers.subList(0, 200)) {
                    reader.skip(1);
                }
                steady.awaitRounds(3);
            }
            assertThat(server().metric("trestle_buffered_response_bytes")).isPositive();
            RawResponse page = ask(RawRequest.of("GET", "/" + TABLE + "()?$filter=PartitionKey%20eq%20'page'"));
            // Its size depends on the socket buffers; ServerLoadTest tests the rule.
            assertThat(page.status()).as("a page, if only a small one").isEqualTo(200);
        }
    }

    @Test
    void a_reader_that_is_slow_gets_all_of_its_page() throws IOException {
        try (RawConnection reader = RawConnection.narrow(server())) {
            RawResponse page =
                    reader.exchange(RawRequest.of("GET", "/" + TABLE + "()?$filter=PartitionKey%20eq%20'page'"));
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).hasSizeGreaterThan(PAGE_ENTITIES * 4000).endsWith("]}");
        }
    }

    @Test
    void idle_connections_that_had_a_large_page() throws IOException {
        RawRequest query = RawRequest.of("GET", "/" + TABLE + "()?$filter=PartitionKey%20eq%20'page'");
        for (int i = 0; i < 120; i++) {
            RawResponse page = open().exchange(query);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body()).hasSizeGreaterThan(PAGE_ENTITIES * 4000);
        }
        assertThat(server().metric("trestle_buffered_response_bytes")).isZero();
    }

    @Test
    void slow_writers_of_large_bodies() throws Exception {
        byte[] head = RawRequest.of("POST", "/$batch")
                .with("Content-Type", "multipart/mixed; boundary=b")
                .with("Content-Length", Integer.toString(BODY_BYTES_MAX))
                .bytes();
        byte[] most = new byte[BODY_BYTES_MAX - 100_000];
        Arrays.fill(most, (byte) ' ');
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            for (int i = 0; i < 400; i++) {
                open().send(head);
            }
            // Hundreds that send little, and some that stop shortly before the end.
            List<RawConnection> nearlyDone = List.copyOf(opened.subList(0, 40));
            List<Future<?>> sending = new ArrayList<>();
            for (RawConnection writer : nearlyDone) {
                sending.add(threads.submit(() -> {
                    writer.send(most);
                    return null;
                }));
            }
            for (int round = 0; round < 10 * SCALE; round++) {
                for (RawConnection writer : opened.subList(40, opened.size())) {
                    writer.send(" ".repeat(100));
                }
                steady.awaitRounds(3);
            }
            assertThat(ask(batch("slow", 0, row -> "\"A\":1")).status()).isEqualTo(202);
            for (Future<?> each : sending) {
                each.get();
            }
        }
    }

    @Test
    void pipelined_reads_nobody_listens_to() throws Exception {
        int requests = 3000;
        int entities = 10;
        String text = "z".repeat(30_000);
        assertThat(ask(batch("piped", 0, row -> "\"A\":\"" + text + "\",\"B\":\"" + text.substring(0, 9_000) + "\""))
                        .status())
                .isEqualTo(202);
        double before = reads();
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            RawConnection connection = RawConnection.narrow(server());
            opened.add(connection);
            Future<?> sending = threads.submit(() -> {
                for (int i = 0; i < requests; i++) {
                    connection.send(
                            RawRequest.of("GET", entity("piped", i % entities)).bytes());
                }
                return null;
            });
            steady.awaitRounds(30 * SCALE);
            assertThat(reads() - before)
                    .as("answered while nobody reads, those of the steady client included")
                    .isLessThan(requests / 2.0);
            for (int i = 0; i < requests; i++) {
                RawResponse answer = connection.response();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).contains("\"RowKey\":\"" + row(i % entities) + "\"");
            }
            sending.get();
        }
    }

    private double reads() {
        return server().metric(
                        "trestle_requests_total{error=\"\",operation=\"GetEntity\",service=\"table\",status=\"200\"}");
    }

    @Test
    void pipelined_writes_happen_in_their_order() throws Exception {
        int requests = 2000;
        try (RawConnection connection = new RawConnection(server())) {
            Future<?> sending = threads.submit(() -> {
                for (int i = 0; i < requests; i++) {
                    connection.send(RawRequest.of("PUT", entity("written", 0))
                            .json("{\"Number\":" + i + "}")
                            .bytes());
                }
                return null;
            });
            String etag = "";
            for (int i = 0; i < requests; i++) {
                RawResponse answer = connection.response();
                assertThat(answer.status()).isEqualTo(204);
                assertThat(answer.header("ETag").orElseThrow()).isGreaterThan(etag);
                etag = answer.header("ETag").orElseThrow();
            }
            sending.get();
        }
        assertThat(ask(RawRequest.of("GET", entity("written", 0))).body()).contains("\"Number\":" + (requests - 1));
    }

    @Test
    void a_flood_of_the_largest_transactions() throws Exception {
        int clients = 64;
        int rounds = 2 * SCALE;
        // Made once: the clients share the machine with the server.
        RawRequest batch = largestBatch();
        String body = new String(batch.body(), StandardCharsets.US_ASCII);
        List<List<String>> written;
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            written = all(clients, client -> () -> {
                List<String> mine = new ArrayList<>();
                try (RawConnection connection = new RawConnection(server())) {
                    for (int round = 0; round < rounds; round++) {
                        String partition = "flood-" + client + "-" + round;
                        if (writtenOrBusy(connection.exchange(batch.body(inPartition(body, partition))))) {
                            mine.add(partition);
                        }
                    }
                }
                return mine;
            });
            steady.awaitRounds(1);
        }
        List<String> acknowledged = written.stream().flatMap(List::stream).toList();
        assertThat(acknowledged).isNotEmpty();
        for (int client = 0; client < clients; client++) {
            for (int round = 0; round < rounds; round++) {
                String partition = "flood-" + client + "-" + round;
                assertThat(rows(partition)).as(partition).isEqualTo(acknowledged.contains(partition) ? 100 : 0);
            }
        }
    }

    @Test
    void transactions_whose_answers_nobody_reads() throws Exception {
        RawRequest batch = largestBatch();
        String body =
                new String(batch.body(), StandardCharsets.US_ASCII).replace("return-no-content", "return-content");
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            for (int i = 0; i < 60; i++) {
                RawConnection connection = RawConnection.narrow(server());
                opened.add(connection);
                connection.send(batch.body(inPartition(body, "unread-" + i)).bytes());
                steady.awaitRounds(1);
            }
            assertThat(server().metric("trestle_buffered_response_bytes"))
                    .isPositive()
                    .isLessThan(2 * server().metric("trestle_buffered_response_limit_bytes"));
        }
    }

    /** Nearly as long as a body may be. */
    private static RawRequest largestBatch() {
        String text = "f".repeat(20_000);
        RawRequest batch = batch("partition", 0, row -> "\"A\":\"" + text + "\",\"B\":\"" + text + "\"");
        assertThat(batch.body().length).isBetween(BODY_BYTES_MAX * 9 / 10, BODY_BYTES_MAX);
        return batch;
    }

    private static byte[] inPartition(String body, String partition) {
        return body.replace("\":\"partition\"", "\":\"" + partition + "\"").getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean writtenOrBusy(RawResponse answer) {
        if (answer.status() == 503) {
            assertBusy(answer);
            return false;
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        assertThat(answer.body()).doesNotContain("odata.error");
        return true;
    }

    private static void assertBusy(RawResponse answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).contains("1");
        assertThat(answer.header("x-ms-error-code")).contains("ServerBusy");
    }

    private int rows(String partition) throws IOException {
        String body = ask(RawRequest.of(
                        "GET", "/" + TABLE + "()?$select=RowKey&$filter=PartitionKey%20eq%20'" + partition + "'"))
                .body();
        return body.split("\"RowKey\"", -1).length - 1;
    }

    @Test
    void scans_of_the_whole_table_that_find_nothing() throws Exception {
        List<List<String>> loaded = all(8, client -> () -> {
            List<String> partitions = new ArrayList<>();
            try (RawConnection connection = new RawConnection(server())) {
                for (int i = client; i < 200; i += 8) {
                    String partition = "scanned" + i;
                    assertThat(connection
                                    .exchange(batch(partition, 0, row -> "\"A\":1"))
                                    .status())
                            .isEqualTo(202);
                    partitions.add(partition);
                }
            }
            return partitions;
        });
        assertThat(loaded.stream().mapToInt(List::size).sum()).isEqualTo(200);
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            List<Integer> pages = all(64, client -> () -> {
                int served = 0;
                try (RawConnection connection = new RawConnection(server())) {
                    for (int i = 0; i < 4 * SCALE; i++) {
                        RawResponse answer = connection.exchange(
                                RawRequest.of("GET", "/" + TABLE + "()?$filter=A%20eq%20-1%20or%20B%20eq%20-1"));
                        if (answer.status() == 200) {
                            assertThat(answer.body()).endsWith("\"value\":[]}");
                            served++;
                        } else {
                            assertBusy(answer);
                        }
                    }
                }
                return served;
            });
            assertThat(pages).noneMatch(served -> served == 0);
            steady.awaitRounds(1);
        }
    }

    @Test
    void connections_that_come_and_go() throws Exception {
        ProcessFigures figures = ProcessFigures.of(server());
        long before = figures.descriptors();
        byte[] request = RawRequest.of("GET", "/Tables").bytes();
        try (SteadyClient steady = SteadyClient.on(server(), TABLE)) {
            all(8, client -> () -> {
                for (int i = 0; i < 2500 * SCALE; i++) {
                    RawConnection connection = new RawConnection(server());
                    connection.send(Arrays.copyOf(request, request.length - i % 3));
                    if (i % 10 == 0 && i % 3 == 0) {
                        assertThat(connection.response().status()).isEqualTo(200);
                        connection.close();
                    } else {
                        connection.reset();
                    }
                }
                return client;
            });
            steady.awaitRounds(1);
        }
        Deadline.await(
                () -> figures.descriptors() + " files and sockets, " + before + " before",
                // Files of the engine come and go as well.
                () -> figures.descriptors() < before + 50);
    }

    @Test
    void idle_connections_of_one_client_keep_nobody_out() throws IOException {
        int connections = 200;
        try (TrestleProcess small = TrestleProcess.start("--in-memory", "--max-connections", "" + connections)) {
            List<RawConnection> idle = new ArrayList<>();
            for (int i = 0; i < 2 * connections; i++) {
                idle.add(new RawConnection(small));
                if (i % 20 == 0) {
                    assertThat(idle.get(i)
                                    .exchange(RawRequest.of("GET", "/Tables"))
                                    .status())
                            .isEqualTo(200);
                }
            }
            try (RawConnection another = new RawConnection(small)) {
                assertThat(another.exchange(RawRequest.of("GET", "/Tables")).status())
                        .isEqualTo(200);
            }
            for (RawConnection connection : idle) {
                connection.close();
            }
            assertThat(small.metric("trestle_connections_refused_total")).isZero();
            assertThat(small.metric("trestle_connections_evicted_total")).isPositive();
        }
    }

    @Test
    void more_than_may_wait_is_told_to_come_back() throws Exception {
        try (TrestleProcess small = TrestleProcess.start(
                "--in-memory", "--max-queued-commits=1", "--max-queued-scans=1", "--scan-threads=1")) {
            createTable(small);
            assertThat(busySeen(
                            small,
                            204,
                            i -> RawRequest.of("PUT", entity("p", i)).json("{\"A\":1}")))
                    .as("writes")
                    .isTrue();
            assertThat(busySeen(small, 200, i -> RawRequest.of("GET", "/" + TABLE + "()?$filter=A%20eq%20" + i)))
                    .as("queries")
                    .isTrue();
            try (RawConnection connection = new RawConnection(small)) {
                assertThat(connection
                                .exchange(RawRequest.of("GET", "/" + TABLE))
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    /** Sends the request on many connections at once, until one of them gets a 503. */
    private boolean busySeen(TrestleProcess small, int served, IntFunction<RawRequest> request) throws Exception {
        return all(16, client -> () -> {
                    boolean busy = false;
                    try (RawConnection connection = new RawConnection(small)) {
                        for (int i = 0; i < 300; i++) {
                            RawResponse answer = connection.exchange(request.apply(i));
                            if (answer.status() == 503) {
                                assertBusy(answer);
                                busy = true;
                            } else {
                                assertThat(answer.status()).as(answer.text()).isEqualTo(served);
                            }
                        }
                    }
                    return busy;
                })
                .contains(true);
    }

    private RawConnection open() throws IOException {
        RawConnection connection = new RawConnection(server());
        opened.add(connection);
        return connection;
    }

    private static void sendUnlessClosed(RawConnection connection, String text) throws IOException {
        try {
            connection.send(text);
        } catch (SocketException closed) {
            // The server may have closed the connection.
        }
    }

    private RawResponse ask(RawRequest request) throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            return connection.exchange(request);
        }
    }

    private <T> List<T> all(int count, IntFunction<Callable<T>> work) throws Exception {
        List<Future<T>> running = IntStream.range(0, count)
                .mapToObj(i -> threads.submit(work.apply(i)))
                .toList();
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get());
        }
        return results;
    }

    private static void createTable(TrestleProcess server) throws IOException {
        try (RawConnection connection = new RawConnection(server)) {
            assertThat(connection
                            .exchange(RawRequest.of("POST", "/Tables").json("{\"TableName\":\"" + TABLE + "\"}"))
                            .status())
                    .isEqualTo(201);
        }
    }

    private static String entity(String partition, int row) {
        return "/" + TABLE + "(PartitionKey='" + partition + "',RowKey='" + row(row) + "')";
    }

    private static String row(int number) {
        return String.format("%04d", number);
    }

    /** A transaction of a hundred inserts. */
    private static RawRequest batch(String partition, int from, IntFunction<String> properties) {
        StringBuilder body = new StringBuilder("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
        for (int row = from; row < from + 100; row++) {
            body.append("--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                            + "POST http://127.0.0.1/devstoreaccount1/" + TABLE + " HTTP/1.1\r\n"
                            + "Content-Type: application/json\r\nPrefer: return-no-content\r\n\r\n"
                            + "{\"PartitionKey\":\"")
                    .append(partition)
                    .append("\",\"RowKey\":\"")
                    .append(row(row))
                    .append("\",")
                    .append(properties.apply(row))
                    .append("}\r\n");
        }
        return RawRequest.of("POST", "/$batch")
                .with("Content-Type", "multipart/mixed; boundary=b")
                .body(body.append("--c--\r\n--b--\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }
}
