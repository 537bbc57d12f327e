package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A well-behaved client that writes and reads while others misbehave. Like the SDKs, it retries a 503 after the
 * time that the response asks for. Closing it fails if a request was not served.
 */
final class SteadyClient implements AutoCloseable {
    private static final Duration RESPONSE_TIME_MAX = Duration.ofSeconds(15);
    private static final long INTERVAL_MILLIS = 20;

    private final String table;
    private final RawConnection connection;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private SteadyClient(RawConnection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    /** Starts a client that works on a table that exists. */
    static SteadyClient on(TrestleProcess server, String table) throws IOException {
        SteadyClient client = new SteadyClient(new RawConnection(server), table);
        ScheduledFuture<?> rounds =
                client.thread.scheduleWithFixedDelay(client::round, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(rounds.isCancelled()).isFalse();
        return client;
    }

    private void round() {
        try {
            workOnce();
        } catch (RuntimeException | Error e) {
            failure.set(e);
            throw e;
        }
    }

    private void workOnce() {
        int round = rounds.get();
        String partition = "steady" + round % 10;
        String entity = "/" + table + "(PartitionKey='" + partition + "',RowKey='r')";
        requireServed(204, RawRequest.of("PUT", entity).json("{\"Round\":" + round + "}"));
        requireServed(200, RawRequest.of("GET", entity));
        requireServed(200, RawRequest.of("GET", "/" + table + "()?$filter=PartitionKey%20eq%20'" + partition + "'"));
        rounds.incrementAndGet();
    }

    private void requireServed(int status, RawRequest request) {
        long start = System.nanoTime();
        RawResponse answer = exchange(request);
        while (answer.status() == 503) {
            long seconds = Long.parseLong(answer.header("Retry-After").orElseThrow());
            answer = CompletableFuture.supplyAsync(
                            () -> exchange(request), CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS))
                    .join();
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("%s %s", request.method(), request.target())
                .isLessThan(RESPONSE_TIME_MAX);
    }

    private RawResponse exchange(RawRequest request) {
        try {
            return connection.exchange(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for this many more rounds, so that the requests of others take effect. */
    void awaitRounds(int more) {
        int wanted = rounds.get() + more;
        Deadline.await(() -> "served " + rounds + " of " + wanted + " times", () -> {
            requireNoFailure();
            return rounds.get() >= wanted;
        });
    }

    private void requireNoFailure() {
        if (failure.get() != null) {
            throw new AssertionError("a well-behaved client was not served", failure.get());
        }
    }

    @Override
    public void close() throws IOException {
        thread.shutdown();
        try {
            assertThat(thread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        } finally {
            connection.close();
        }
        requireNoFailure();
    }
}
