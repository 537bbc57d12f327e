package dev.trestle.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestSummary;
import dev.trestle.server.pipeline.Response;
import java.io.ByteArrayOutputStream;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Request bodies that are streamed to the operation, seen from the client. */
class StreamedUploadTest {
    private static final int MIB = 1 << 20;

    /** Two pieces, and the buffers between them and the socket. */
    private static final long READ_AHEAD_MAX = 2L * BodyDrain.PIECE_BYTES + 512 * 1024;

    private static final Duration INSTANT = Duration.ofNanos(1);

    private final CompletableFuture<Long> drained = new CompletableFuture<>();
    private final List<Integer> pieces = new ArrayList<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    private CompletionStage<Void> take(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        pieces.add(bytes.length);
        taken.writeBytes(bytes);
        return CompletableFuture.completedFuture(null);
    }

    /** Drains the body, and responds with its length. */
    private CompletionStage<Response> drain(Request request) {
        return request.content()
                .drain(this::take)
                .whenComplete((length, failure) -> tell(length, failure))
                .thenApply(StreamedUploadTest::created);
    }

    private void tell(Long length, Throwable failure) {
        if (failure == null) {
            drained.complete(length);
        } else {
            drained.completeExceptionally(failure);
        }
    }

    private static Response created(long length) {
        return new Response(201).body("text/plain", Long.toString(length).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private void awaitTaken(int bytes) {
        await().until(() -> taken.size() == bytes);
    }

    /** The error that the taker of the body gets. */
    private StorageError failure() throws Exception {
        return drained.handle((length, failure) -> {
                    Throwable cause = failure == null ? null : StageFailures.cause(failure);
                    if (cause instanceof StorageException told) {
                        return told.error();
                    }
                    throw new AssertionError("the body was taken, or failed otherwise", cause);
                })
                .get(StreamingServer.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void a_body_arrives_as_it_was_sent_in_pieces_no_larger_than_promised() throws Exception {
        byte[] body = random(5 * MIB + 17);
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            RawClient.Answer answer = client.head("PUT", "Content-Length: " + body.length)
                    .send(body)
                    .readAnswer();

            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.text()).isEqualTo(Integer.toString(body.length));
            assertThat(taken.toByteArray()).isEqualTo(body);
            assertThat(pieces).allMatch(length -> length > 0 && length <= BodyDrain.PIECE_BYTES);
            assertThat(server.finished().bytesIn()).isEqualTo(body.length);
            assertThat(server.load.requestBytes()).isZero();
        }
    }

    @Test
    void a_chunked_body_has_no_length_until_it_ends() throws Exception {
        byte[] body = random(300_000);
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> {
                    assertThat(request.content().declaredLength()).isEmpty();
                    assertThat(request.content().isAbsent()).isFalse();
                    return drain(request);
                }));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Transfer-Encoding: chunked");
            for (int start = 0; start < body.length; start += 1000) {
                client.send("3e8\r\n")
                        .send(Arrays.copyOfRange(body, start, start + 1000))
                        .send("\r\n");
            }
            RawClient.Answer answer = client.send("0\r\n\r\n").readAnswer();

            assertThat(answer.text()).isEqualTo("300000");
            assertThat(taken.toByteArray()).isEqualTo(body);
        }
    }

    @Test
    void a_slow_taker_makes_its_client_wait_instead_of_filling_memory() throws Exception {
        int length = 64 * MIB;
        AtomicLong completed = new AtomicLong();
        AtomicLong readAhead = new AtomicLong();
        AtomicInteger underWay = new AtomicInteger();
        Executor slow = CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS);
        StreamingServer[] started = new StreamingServer[1];
        StreamingRoutes routes = new StreamingRoutes(request -> request.content()
                .drain(piece -> {
                    assertThat(underWay.incrementAndGet()).isEqualTo(1);
                    byte first = piece.get(0);
                    return CompletableFuture.runAsync(
                            () -> {
                                // A piece must not change while its taker uses it.
                                assertThat(piece.get(0)).isEqualTo(first);
                                long ahead = started[0].read.get() - completed.addAndGet(piece.remaining());
                                readAhead.accumulateAndGet(ahead + piece.remaining(), Math::max);
                                underWay.decrementAndGet();
                            },
                            slow);
                })
                .thenApply(StreamedUploadTest::created));
        try (StreamingServer server = StreamingServer.start(routes);
                RawClient client = new RawClient(server)) {
            started[0] = server;
            client.head("PUT", "Content-Length: " + length);
            byte[] part = random(MIB);
            for (int sent = 0; sent < length; sent += part.length) {
                client.send(part);
            }

            assertThat(client.readAnswer().text()).isEqualTo(Integer.toString(length));
            assertThat(completed).hasValue(length);
            assertThat(readAhead.get()).isBetween((long) BodyDrain.PIECE_BYTES, READ_AHEAD_MAX);
        }
    }

    @Test
    void nothing_is_read_of_a_body_that_nobody_asks_for() throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Response> later = new CompletableFuture<>();
        ByteBuffer body = ByteBuffer.allocate(32 * MIB);
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> {
                    begun.complete(null);
                    return later;
                }));
                SocketChannel channel = SocketChannel.open();
                RawClient client = new RawClient(server, channel.socket())) {
            client.head("PUT", "Content-Length: " + body.capacity());
            begun.get(StreamingServer.PATIENCE_SECONDS, TimeUnit.SECONDS);
            channel.configureBlocking(false);
            server.awaitStandstill(() -> {
                channel.write(body);
                return List.of(body.position(), server.read.get());
            });
            assertThat(body.hasRemaining())
                    .as("the client could not send all of it")
                    .isTrue();
            assertThat(server.read.get()).isLessThan(READ_AHEAD_MAX);
            channel.configureBlocking(true);
            later.complete(new Response(409));

            assertThat(client.readAnswer().status()).isEqualTo(409);
            channel.write(body);
        }
    }

    @Test
    void a_refusal_reaches_a_client_that_is_still_sending_and_its_connection_lives_on() throws Exception {
        byte[] body = random(8 * MIB);
        AtomicInteger served = new AtomicInteger();
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> {
                    if (served.getAndIncrement() == 0) {
                        throw new StorageException(StorageError.SERVER_BUSY);
                    }
                    return drain(request);
                }));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: " + body.length).send(body);
            assertThat(client.readAnswer().status()).isEqualTo(503);

            client.head("PUT", "Content-Length: " + body.length).send(body);
            assertThat(client.readAnswer().status()).isEqualTo(201);
            assertThat(taken.toByteArray()).isEqualTo(body);
        }
    }

    @Test
    void a_client_that_goes_on_sending_what_is_refused_is_cut_off_in_the_end() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> {
                    throw new StorageException(StorageError.SERVER_BUSY);
                }));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: " + 2 * HttpLimits.DISCARDED_BYTES_MAX);
            assertThatThrownBy(() -> {
                        byte[] part = new byte[MIB];
                        for (long sent = 0; sent < 2 * HttpLimits.DISCARDED_BYTES_MAX; sent += part.length) {
                            client.send(part);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void requests_sent_together_are_answered_one_after_the_other() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 5")
                    .send("hello")
                    .head("GET")
                    .head("PUT", "Content-Length: 3")
                    .send("you");

            assertThat(client.readAnswer().text()).isEqualTo("5");
            assertThat(client.readAnswer().text()).isEqualTo("0");
            assertThat(client.readAnswer().text()).isEqualTo("3");
            assertThat(taken.toString(StandardCharsets.US_ASCII)).isEqualTo("helloyou");
        }
    }

    @Test
    void a_large_body_behind_another_one_arrives_whole_or_not_at_all() throws Exception {
        byte[] body = random(2 * MIB);
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 0; i < 2; i++) {
                        client.head("PUT", "Content-Length: " + body.length).send(body);
                    }
                } catch (java.io.IOException e) {
                    // The connection may have been closed.
                }
            });
            sender.start();
            assertThat(client.readAnswer().text()).isEqualTo(Integer.toString(body.length));
            int next = client.in().read();
            sender.join();
            if (next >= 0) {
                assertThat(taken.toByteArray()).hasSize(2 * body.length);
            }
            assertThat(taken.toByteArray()).startsWith(body);
        }
    }

    @Test
    void a_client_that_waits_to_be_told_to_go_on_is_told() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 5", "Expect: 100-continue");
            assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
            assertThat(client.send("hello").readAnswer().text()).isEqualTo("5");
        }
    }

    @Test
    void a_client_that_goes_away_fails_the_one_who_takes_its_body() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 1000").send("hello");
            client.leave();

            long before = System.nanoTime();
            assertThat(failure()).isEqualTo(StorageError.INVALID_INPUT);
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(5));
            assertThat(server.finished().status()).isEqualTo(RequestSummary.CLIENT_GONE);
            assertThat(server.load.requestBytes()).isZero();
        }
    }

    @Test
    void a_client_that_resets_the_connection_fails_the_one_who_takes_its_body_once_the_piece_is_taken()
            throws Exception {
        CompletableFuture<Void> busy = new CompletableFuture<>();
        CompletableFuture<Void> reached = new CompletableFuture<>();
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> request.content()
                        .drain(piece -> {
                            reached.complete(null);
                            return busy;
                        })
                        .whenComplete(this::tell)
                        .thenApply(StreamedUploadTest::created)));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 1000").send("hello");
            reached.get(StreamingServer.PATIENCE_SECONDS, TimeUnit.SECONDS);
            client.socket().setSoLinger(true, 0);
            client.leave();

            assertThat(server.finished().status()).isEqualTo(RequestSummary.CLIENT_GONE);
            assertThat(drained).isNotDone();
            busy.complete(null);
            assertThat(failure()).isEqualTo(StorageError.INVALID_INPUT);
        }
    }

    @Test
    void a_client_that_closes_its_side_behind_a_whole_body_is_answered() throws Exception {
        byte[] body = random(400_000);
        Executor slow = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> request.content()
                        .drain(piece -> {
                            take(piece);
                            return CompletableFuture.runAsync(() -> {}, slow);
                        })
                        .thenApply(StreamedUploadTest::created)));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: " + body.length).send(body);
            client.socket().shutdownOutput();

            assertThat(client.readAnswer().text()).isEqualTo("400000");
            assertThat(client.in().read()).isEqualTo(-1);
            assertThat(taken.toByteArray()).isEqualTo(body);
        }
    }

    @Test
    void a_body_that_stalls_is_given_up() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 1000").send("hello");
            awaitTaken(5);
            server.advance(StreamingServer.TIME_MAX);
            assertThat(drained).isNotDone();
            server.advance(INSTANT);

            assertThat(failure()).isEqualTo(StorageError.OPERATION_TIMED_OUT);
            assertThat(client.in().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_body_may_take_any_time_as_long_as_it_makes_progress() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(this::drain));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 6");
            for (int i = 1; i <= 6; i++) {
                client.send("x");
                awaitTaken(i);
                server.advance(StreamingServer.TIME_MAX);
            }
            assertThat(client.readAnswer().text()).isEqualTo("6");
        }
    }

    @Test
    void the_time_of_a_request_counts_from_the_end_of_its_body() throws Exception {
        CompletableFuture<Response> never = new CompletableFuture<>();
        try (StreamingServer server = StreamingServer.start(
                        new StreamingRoutes(request -> drain(request).thenCompose(response -> never)));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: 3");
            for (int i = 1; i <= 3; i++) {
                client.send("x");
                awaitTaken(i);
                if (i < 3) {
                    server.advance(StreamingServer.TIME_MAX);
                }
            }
            drained.get(StreamingServer.PATIENCE_SECONDS, TimeUnit.SECONDS);
            server.advance(StreamingServer.TIME_MAX);
            assertThat(server.finished).isEmpty();
            server.advance(INSTANT);
            RawClient.Answer answer = client.readAnswer();

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.text()).contains("OperationTimedOut");
        }
    }

    @Test
    void what_the_taker_fails_with_is_answered() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> request.content()
                        .drain(piece -> CompletableFuture.failedFuture(new StorageException(StorageError.MD5_MISMATCH)))
                        .thenApply(StreamedUploadTest::created)));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: " + MIB).send(new byte[MIB]);
            assertThat(client.readAnswer().text()).contains("Md5Mismatch");
            client.head("PUT", "Content-Length: 1").send("x");
            assertThat(client.readAnswer().text()).contains("Md5Mismatch");
        }
    }

    @Test
    void a_body_can_be_collected_in_memory_up_to_a_limit() throws Exception {
        try (StreamingServer server = StreamingServer.start(new StreamingRoutes(request -> request.collect(100_000)
                        .thenApply(nothing -> new Response(200)
                                .body("text/plain", Arrays.copyOfRange(request.body(), 0, request.bodyLength())))));
                RawClient client = new RawClient(server)) {
            byte[] most = random(100_000);
            client.head("PUT", "Content-Length: 100000").send(most);
            assertThat(client.readAnswer().body()).isEqualTo(most);
            assertThat(server.finished().bytesIn()).isEqualTo(100_000);
            client.head("GET");
            assertThat(client.readAnswer().body()).isEmpty();
            client.head("PUT", "Content-Length: 0");
            assertThat(client.readAnswer().body()).isEmpty();
            client.head("PUT", "Content-Length: 100001").send(new byte[100_001]);
            assertThat(client.readAnswer().status()).isEqualTo(413);
            client.head("PUT", "Transfer-Encoding: chunked")
                    .send("186a1\r\n")
                    .send(new byte[100_001])
                    .send("\r\n0\r\n\r\n");
            assertThat(client.readAnswer().text()).contains("RequestBodyTooLarge");
            for (int request = 2; request <= 5; request++) {
                // A response may be read before the memory of its request is released.
                server.finished();
            }
            assertThat(server.load.requestBytes()).isZero();
        }
    }

    @Test
    void a_body_without_memory_for_a_piece_is_told_to_come_back() throws Exception {
        try (StreamingServer server = StreamingServer.start(
                        new StreamingRoutes(this::drain), new HttpConfig(10, 10_000, RateLimits.NONE));
                RawClient client = new RawClient(server)) {
            client.head("PUT", "Content-Length: " + MIB).send(new byte[MIB]);
            assertThat(client.readAnswer().status()).isEqualTo(503);
            client.head("PUT", "Content-Length: 5").send("hello");
            assertThat(client.readAnswer().status()).isEqualTo(201);
            assertThat(server.load.requestBytes()).isZero();
        }
    }

    @Test
    void a_body_comes_in_over_http_2_too() throws Exception {
        byte[] body = random(3 * MIB);
        AtomicInteger served = new AtomicInteger();
        StreamingRoutes routes = new StreamingRoutes(request -> {
            if (served.getAndIncrement() == 0) {
                throw new StorageException(StorageError.SERVER_BUSY);
            }
            return drain(request);
        });
        try (StreamingServer server = StreamingServer.startTls(routes)) {
            HttpClient client = Trusting.client();
            HttpRequest request = HttpRequest.newBuilder(server.uri())
                    .PUT(BodyPublishers.ofByteArray(body))
                    .build();
            HttpRequest empty = HttpRequest.newBuilder(server.uri()).build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(503);
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body()).isEqualTo(Integer.toString(body.length));
            assertThat(taken.toByteArray()).isEqualTo(body);
            assertThat(client.send(empty, BodyHandlers.ofString()).body()).isEqualTo("0");
        }
    }
}
