package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.EntityChange.Kind;
import dev.trestle.sandbox.Role;
import dev.trestle.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose cluster does not respond. No request hangs: connections here time out after a minute. Prints how
 * long requests took.
 */
class OutageIT {
    private static final Duration RECOVERY_MAX = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofSeconds(3);

    @TempDir
    private static Path folder;

    private static Sandbox sandbox;
    private static TrestleProcess server;

    @BeforeAll
    static void start() throws IOException {
        sandbox = Sandbox.separate(folder, 1);
        sandbox.start();
        server = TrestleProcess.startOnCluster(sandbox.quorum());
        try (TableConnection connection = new TableConnection(server)) {
            assertThat(connection.createTable("rows").status()).isEqualTo(204);
            assertThat(insert(connection, "stored").status()).isEqualTo(204);
        }
    }

    /** Restarts the processes that an earlier test killed. */
    @BeforeEach
    void repair() {
        sandbox.start();
    }

    @AfterAll
    static void stop() {
        server.close();
        sandbox.close();
    }

    private static RawResponse insert(TableConnection connection, String row) throws IOException {
        EntityChange change = new EntityChange(Kind.INSERT, "p", row, Optional.empty(), Map.of("A", "a"));
        return connection.exchange(RawRequest.of(change.method(), change.path("rows"))
                .with("Prefer", "return-no-content")
                .json(change.json().orElseThrow()));
    }

    private static RawResponse read(TableConnection connection, String row) throws IOException {
        return connection.exchange(RawRequest.of("GET", EntityChange.entityPath("rows", "p", row)));
    }

    private static RawResponse query(TableConnection connection) throws IOException {
        return connection.exchange(RawRequest.of("GET", "/rows()?$filter=PartitionKey%20eq%20'p'"));
    }

    private interface Exchange {
        RawResponse with(TableConnection connection) throws IOException;
    }

    private static Callable<RawResponse> call(String what, Exchange exchange) {
        return () -> {
            try (TableConnection connection = new TableConnection(server)) {
                long begun = System.nanoTime();
                RawResponse answer = exchange.with(connection);
                tell(what + " got " + answer.status(), begun);
                return answer;
            }
        };
    }

    @SuppressWarnings("SystemOut") // The times are what is told of an outage.
    private static void tell(String what, long begun) {
        System.out.printf("%s after %.1f s%n", what, (System.nanoTime() - begun) / 1e9);
    }

    private static List<RawResponse> together(List<Callable<RawResponse>> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<RawResponse> answers = new ArrayList<>();
            for (Future<RawResponse> future : threads.invokeAll(calls)) {
                answers.add(future.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertToComeBack(RawResponse answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.body()).contains("ServerBusy");
        assertThat(answer.header("Retry-After")).isPresent();
    }

    /** A write that got 503 may have been applied; it must not have any other effect. */
    private static void awaitInserted(String row) {
        long begun = System.nanoTime();
        Deadline.await(RECOVERY_MAX, server::log, () -> {
            try (TableConnection connection = new TableConnection(server)) {
                RawResponse answer = insert(connection, row);
                assertThat(answer.status()).as(answer.text()).isIn(204, 409, 503);
                return answer.status() != 503 && read(connection, row).status() == 200;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        tell("writes are taken again", begun);
    }

    private static void assertReady(boolean expected) throws IOException {
        assertThat(server.readiness().status()).isEqualTo(expected ? 200 : 503);
    }

    @Test
    void a_short_standstill_is_waited_out() throws Exception {
        try (TableConnection connection = new TableConnection(server)) {
            sandbox.pause(Role.REGION_SERVER, 1);
            var written = connection.write(
                    "rows",
                    List.of(new EntityChange(Kind.INSERT, "p", "patient", Optional.empty(), Map.of("A", "a"))),
                    () -> {
                        server.process().exitsWithin(SHORT);
                        sandbox.resume(Role.REGION_SERVER, 1);
                    });
            assertThat(written.status()).isEqualTo(204);
            assertThat(read(connection, "patient").status()).isEqualTo(200);
        }
    }

    @Test
    void writes_are_told_to_come_back_while_no_disk_takes_them() throws Exception {
        sandbox.pause(Role.DATANODE, 1);
        try {
            together(List.of(
                            call("an insert", connection -> insert(connection, "one")),
                            call("another insert", connection -> insert(connection, "two"))))
                    .forEach(OutageIT::assertToComeBack);
            assertReady(false);
        } finally {
            sandbox.resume(Role.DATANODE, 1);
        }
        awaitInserted("one");
        awaitInserted("two");
        assertReady(true);
    }

    @Test
    void all_are_told_to_come_back_while_the_only_region_server_stands_still_and_its_successor_serves_them()
            throws Exception {
        sandbox.pause(Role.REGION_SERVER, 1);
        try {
            together(List.of(
                            call("a point read", connection -> read(connection, "stored")),
                            call("a query", OutageIT::query),
                            call("an insert", connection -> insert(connection, "three"))))
                    .forEach(OutageIT::assertToComeBack);
            assertReady(false);
        } finally {
            // The cluster has declared the region server dead, so it would abort.
            sandbox.kill(Role.REGION_SERVER, 1);
        }
        sandbox.start();
        awaitInserted("three");
        try (TableConnection connection = new TableConnection(server)) {
            assertThat(read(connection, "stored").status()).isEqualTo(200);
            assertThat(query(connection).body()).contains("stored", "three");
        }
        assertReady(true);
    }
}
