package dev.trestle.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.pipeline.ResponseBody;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Response bodies that are fetched while they are sent, seen from the client. */
class StreamedDownloadTest {
    private static final int MIB = 1 << 20;
    private static final Duration INSTANT = Duration.ofNanos(1);

    @TempDir
    private Path directory;

    private static StreamingRoutes answering(ResponseBody body) {
        return new StreamingRoutes(request ->
                CompletableFuture.completedFuture(new Response(200).header("Content-Type", "x/y").stream(body)));
    }

    private static byte[] expected(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = TestBody.at(i);
        }
        return bytes;
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("content"), bytes);
    }

    /** Waits until the sockets are full, so that the server waits for the client to read. */
    private static void awaitFullSockets(StreamingServer server, TestBody body) throws Exception {
        assertThat(body.isOnEventLoop())
                .as("each piece is fetched within two turns of the event loop")
                .isTrue();
        List<Long> standstill = server.awaitStandstill(() -> List.of((long) body.asked.get(), server.bytesPending()));
        assertThat(standstill.get(1))
                .as("bytes that the kernel does not accept")
                .isPositive();
    }

    @Test
    void a_body_is_sent_as_it_is_fetched() throws Exception {
        int length = 3 * MIB + 17;
        TestBody body = new TestBody(length);
        try (StreamingServer server = StreamingServer.start(answering(body));
                RawClient client = new RawClient(server)) {
            RawClient.Answer answer = client.head("GET").readAnswer();

            assertThat(answer.head()).contains("Content-Length: " + length).doesNotContain("chunked");
            assertThat(answer.body()).isEqualTo(expected(length));
            RequestSummary summary = server.finished();
            assertThat(summary.bytesOut()).isEqualTo(length);
            assertThat(summary.status()).isEqualTo(200);
            assertThat(body.closed).hasValue(1);
            assertThat(body.aliveMost).hasValueLessThanOrEqualTo(2);
            assertThat(body.isReleased()).isTrue();
            assertThat(server.load.responseBytes()).isZero();
        }
    }

    @Test
    void an_empty_body_is_one_too() throws Exception {
        TestBody body = new TestBody(0);
        try (StreamingServer server = StreamingServer.start(answering(body));
                RawClient client = new RawClient(server)) {
            assertThat(client.head("GET").readAnswer().head()).contains("Content-Length: 0");
            assertThat(body.asked).hasValue(0);
            assertThat(body.closed).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.trestle.server.sockets.SystemTransports#withSendfile")
    void the_kernel_sends_a_file_where_it_is_cheap_at_that(SocketTransport transport) throws Exception {
        FileSource source = new FileSource(file(expected(MIB)));
        try (StreamingServer server = StreamingServer.start(answering(new ContentBody(source, 0, MIB)), transport);
                RawClient client = new RawClient(server)) {
            assertThat(client.head("GET").readAnswer().body()).isEqualTo(expected(MIB));
            assertThat(source.reads).hasValue(0);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.trestle.server.sockets.SystemTransports#present")
    void a_range_of_a_file_is_sent_and_the_connection_lives_on(SocketTransport transport) throws Exception {
        byte[] bytes = new byte[5 * MIB + 100];
        new Random(1).nextBytes(bytes);
        Path file = file(bytes);
        FileSource[] sources = {new FileSource(file), new FileSource(file)};
        int[] served = {0};
        StreamingRoutes routes = new StreamingRoutes(request -> CompletableFuture.completedFuture(
                new Response(206).stream(new ContentBody(sources[served[0]++], 50, 5 * MIB))));
        try (StreamingServer server = StreamingServer.start(routes, transport);
                RawClient client = new RawClient(server)) {
            for (FileSource source : sources) {
                RawClient.Answer answer = client.head("GET").readAnswer();

                assertThat(answer.status()).isEqualTo(206);
                assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(bytes, 50, 50 + 5 * MIB));
                assertThat(server.finished().bytesOut()).isEqualTo(5 * MIB);
                assertThat(source.closed).hasValue(1);
            }
        }
    }

    @Test
    void a_range_of_a_file_is_read_into_memory_for_an_encrypted_connection() throws Exception {
        byte[] bytes = new byte[2 * MIB];
        new Random(2).nextBytes(bytes);
        FileSource source = new FileSource(file(bytes));
        try (StreamingServer server = StreamingServer.startTls(answering(new ContentBody(source, 7, MIB)))) {
            HttpResponse<byte[]> answer =
                    Trusting.client().send(HttpRequest.newBuilder(server.uri()).build(), BodyHandlers.ofByteArray());

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(bytes, 7, 7 + MIB));
            server.finished();
            assertThat(source.reads).hasValue(4);
            assertThat(source.closed).hasValue(1);
        }
    }

    @Test
    void a_slow_reader_has_no_more_than_two_pieces_in_memory() throws Exception {
        int length = 64 * MIB;
        TestBody body = TestBody.onEventLoop(length);
        try (StreamingServer server = StreamingServer.start(answering(body));
                RawClient client = new RawClient(server)) {
            client.head("GET").readHead();
            awaitFullSockets(server, body);
            assertThat((long) body.asked.get() * BodySender.PIECE_BYTES)
                    .as("bytes fetched for a client that reads nothing: what fits into the sockets, and two pieces")
                    .isLessThan(16 * MIB);
            assertThat(server.load.responseBytes()).isLessThanOrEqualTo(2L * BodySender.PIECE_BYTES);
            byte[] all = client.in().readNBytes(length);

            assertThat(all).isEqualTo(expected(length));
            assertThat(body.aliveMost).hasValueLessThanOrEqualTo(2);
        }
    }

    @Test
    void a_reader_that_stops_is_cut_off() throws Exception {
        TestBody body = TestBody.onEventLoop(64 * MIB);
        try (StreamingServer server = StreamingServer.start(answering(body));
                RawClient client = new RawClient(server)) {
            client.head("GET").readHead();
            awaitFullSockets(server, body);
            server.advance(StreamingServer.TIME_MAX);
            assertThat(server.finished).isEmpty();
            server.advance(INSTANT);

            assertThat(server.finished().status()).isEqualTo(RequestSummary.CLIENT_GONE);
            await().until(() -> body.closed.get() == 1 && body.isReleased());
            assertThat(server.load.responseBytes()).isZero();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("dev.trestle.server.sockets.SystemTransports#withSendProgress")
    void a_reader_of_a_file_that_stops_is_cut_off(SocketTransport transport) throws Exception {
        FileSource source = new FileSource(file(new byte[64 * MIB]));
        try (StreamingServer server =
                        StreamingServer.start(answering(new ContentBody(source, 0, 64 * MIB)), transport);
                RawClient client = new RawClient(server)) {
            client.head("GET").readHead();
            await().until(() -> {
                server.advance(StreamingServer.TIME_MAX.plus(INSTANT));
                return !server.finished.isEmpty();
            });

            assertThat(server.finished().status()).isEqualTo(RequestSummary.CLIENT_GONE);
            await().until(() -> source.closed.get() == 1);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("dev.trestle.server.sockets.SystemTransports#withSendProgress")
    void a_reader_of_a_file_may_take_any_time_as_long_as_it_takes_something(SocketTransport transport)
            throws Exception {
        int length = 64 * MIB;
        FileSource source = new FileSource(file(expected(length)));
        try (StreamingServer server = StreamingServer.start(answering(new ContentBody(source, 0, length)), transport);
                RawClient client = new RawClient(server)) {
            client.head("GET").readHead();
            byte[] all = new byte[length];
            int read = 0;
            for (int i = 0; i < 12; i++) {
                server.advance(StreamingServer.TIME_MAX);
                // More than fits into the sockets, so the server has sent something since.
                read += client.in().readNBytes(all, read, 4 * MIB);
            }
            read += client.in().readNBytes(all, read, length - read);

            assertThat(read).isEqualTo(length);
            assertThat(all).isEqualTo(expected(length));
            assertThat(server.finished().status()).isEqualTo(200);
        }
    }

    @Test
    void a_body_that_cannot_be_had_to_its_end_breaks_the_connection_off() throws Exception {
        TestBody body = new TestBody(3 * MIB, 2 * MIB);
        try (StreamingServer server = StreamingServer.start(answering(body));
                RawClient client = new RawClient(server)) {
            assertThat(RawClient.contentLength(client.head("GET").readHead())).isEqualTo(3 * MIB);
            byte[] all = client.in().readAllBytes();

            assertThat(all).hasSizeLessThan(3 * MIB).isEqualTo(expected(all.length));
            assertThat(server.finished().status()).isEqualTo(500);
            assertThat(body.closed).hasValue(1);
            await().until(body::isReleased);
        }
    }

    @Test
    void a_file_that_is_too_short_breaks_the_connection_off() throws Exception {
        FileSource source = new FileSource(file(new byte[10]));
        try (StreamingServer server = StreamingServer.start(answering(new ContentBody(source, 5, 6)));
                RawClient client = new RawClient(server)) {
            client.head("GET");
            assertThat(client.in().readAllBytes()).isEmpty();
            assertThat(server.finished().status()).isEqualTo(500);
            assertThat(source.closed).hasValue(1);
        }
    }

    @Test
    void a_reader_that_goes_away_leaves_nothing_open() throws Exception {
        TestBody body = new TestBody(64 * MIB);
        try (StreamingServer server = StreamingServer.start(answering(body));
                RawClient client = new RawClient(server)) {
            client.head("GET").readHead();
            client.leave();

            assertThat(server.finished().status()).isEqualTo(RequestSummary.CLIENT_GONE);
            await().until(() -> body.closed.get() == 1 && body.isReleased());
        }
    }

    @Test
    void a_reader_that_closes_its_side_first_still_reads_all() throws Exception {
        int length = 8 * MIB;
        try (StreamingServer server = StreamingServer.start(answering(new TestBody(length)));
                RawClient client = new RawClient(server)) {
            client.head("GET");
            client.socket().shutdownOutput();
            client.readHead();
            assertThat(client.in().readAllBytes()).isEqualTo(expected(length));
        }
    }

    @Test
    void an_answer_that_comes_too_late_is_closed() throws Exception {
        TestBody body = new TestBody(MIB);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Response> later = new CompletableFuture<>();
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> {
                    begun.complete(null);
                    return later;
                }));
                RawClient client = new RawClient(server)) {
            client.head("GET");
            begun.get(StreamingServer.PATIENCE_SECONDS, TimeUnit.SECONDS);
            server.advance(StreamingServer.TIME_MAX.plus(INSTANT));
            assertThat(client.readAnswer().text()).contains("OperationTimedOut");
            later.complete(new Response(200).stream(body));
            await().until(() -> body.closed.get() == 1);
            assertThat(body.asked).hasValue(0);
        }
    }

    @Test
    void head_tells_the_length_and_sends_nothing() throws Exception {
        TestBody body = new TestBody(5L << 32);
        int[] served = {0};
        StreamingRoutes routes = new StreamingRoutes(request -> CompletableFuture.completedFuture(
                served[0]++ == 0 ? new Response(200).stream(body) : new Response(200).headLength(6L << 32)));
        try (StreamingServer server = StreamingServer.start(routes);
                RawClient client = new RawClient(server)) {
            assertThat(RawClient.contentLength(client.head("HEAD").readHead())).isEqualTo(5L << 32);
            assertThat(server.finished().bytesOut()).isZero();
            assertThat(body.asked).hasValue(0);
            assertThat(body.closed).hasValue(1);
            assertThat(RawClient.contentLength(client.head("HEAD").readHead())).isEqualTo(6L << 32);
            assertThat(server.finished().bytesOut()).isZero();
        }
    }

    @Test
    void an_answer_that_has_no_body_by_its_status_tells_of_none() throws Exception {
        byte[] text = "gone".getBytes(StandardCharsets.US_ASCII);
        int[] statuses = {304, 204, 304, 200};
        int[] served = {0};
        StreamingRoutes routes = new StreamingRoutes(request -> CompletableFuture.completedFuture(
                served[0] == 2
                        ? new Response(statuses[served[0]++]).stream(new TestBody(5))
                        : new Response(statuses[served[0]++]).body("text/plain", text)));
        try (StreamingServer server = StreamingServer.start(routes);
                RawClient client = new RawClient(server)) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.head("GET").readHead())
                        .startsWith("HTTP/1.1 " + statuses[i])
                        .doesNotContainIgnoringCase("Content-Length")
                        .doesNotContainIgnoringCase("Content-Type");
            }
            assertThat(client.head("GET").readAnswer().text()).isEqualTo("gone");
        }
    }
}
