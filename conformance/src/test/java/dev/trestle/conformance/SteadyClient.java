package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A well-behaved client that writes, reads and asks all the while others misbehave. It does what the SDKs do when told
 * to come back: it waits, and tries again. Closing it fails unless it was served all the time.
 */
final class SteadyClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final TrestleProcess server;
    private final String table;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger rounds = new AtomicInteger();
    private final Future<?> work;
    private volatile boolean stopped;

    private SteadyClient(TrestleProcess server, String table) {
        this.server = server;
        this.table = table;
        this.work = thread.submit(() -> {
            run();
            return null;
        });
    }

    /** Begins to work on a table that exists. */
    static SteadyClient on(TrestleProcess server, String table) {
        return new SteadyClient(server, table);
    }

    private void run() throws IOException, InterruptedException {
        try (RawConnection connection = new RawConnection(server)) {
            while (!stopped) {
                int round = rounds.get();
                String partition = "steady" + round % 10;
                String entity = "/" + table + "(PartitionKey='" + partition + "',RowKey='r')";
                served(connection, 204, RawRequest.of("PUT", entity).json("{\"Round\":" + round + "}"));
                served(connection, 200, RawRequest.of("GET", entity));
                served(
                        connection,
                        200,
                        RawRequest.of("GET", "/" + table + "()?$filter=PartitionKey%20eq%20'" + partition + "'"));
                rounds.incrementAndGet();
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }

    private static void served(RawConnection connection, int status, RawRequest request)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        RawAnswer answer = connection.exchange(request);
        while (answer.status() == 503) {
            Thread.sleep(Duration.ofSeconds(
                            Long.parseLong(answer.header("Retry-After").orElseThrow()))
                    .toMillis());
            answer = connection.exchange(request);
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("%s %s", request.method(), request.target())
                .isLessThan(PATIENCE);
    }

    /** Waits until it was served some more times, for what others do to have its effect. */
    void awaitRounds(int more) {
        int wanted = rounds.get() + more;
        Deadline.await(() -> "served " + rounds + " of " + wanted + " times", () -> {
            if (work.isDone()) {
                close();
            }
            return rounds.get() >= wanted;
        });
    }

    @Override
    public void close() {
        stopped = true;
        thread.shutdown();
        try {
            work.get();
        } catch (ExecutionException e) {
            throw new AssertionError("a well-behaved client was not served", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
