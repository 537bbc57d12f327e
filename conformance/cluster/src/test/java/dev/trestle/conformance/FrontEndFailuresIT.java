package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.EntityChange.Kind;
import dev.trestle.conformance.TableConnection.Entity;
import dev.trestle.conformance.TableConnection.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers on one cluster that are killed or stand still, while another serves the same data. */
class FrontEndFailuresIT {
    private static final int CLIENTS = 6;
    private static final int WRITES_BEFORE_A_KILL = 200;
    private static final int COUNTERS = 4;
    private static final int INCREMENTS = 30;

    private final ExecutorService threads = Executors.newFixedThreadPool(2 * COUNTERS);

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void what_a_killed_server_acknowledged_is_there_for_others_and_half_of_nothing() throws Exception {
        long seed = Long.getLong("crash.seed", System.nanoTime());
        Random random = new Random(seed);
        List<CrashClient> clients = new ArrayList<>();
        for (int number = 0; number < CLIENTS; number++) {
            clients.add(new CrashClient(number, random.nextLong()));
        }
        try (TrestleProcess survivor = SharedCluster.frontEnd("killed")) {
            verify(clients, survivor);
            TrestleProcess victim = SharedCluster.frontEnd("killed");
            try {
                for (KillSwitch.Moment moment : KillSwitch.Moment.values()) {
                    TrestleProcess killed = victim;
                    KillSwitch kill = new KillSwitch(killed, moment, WRITES_BEFORE_A_KILL);
                    all(clients, client -> client.writeUntilKilled(killed, kill));
                    // Requests of the killed front end have arrived before this one serves.
                    victim = SharedCluster.frontEnd("killed");
                    // It is asked first, for it remembers no table; the survivor may for some seconds.
                    verify(clients, victim);
                    awaitVerified(clients, survivor);
                }
            } finally {
                victim.close();
            }
        } catch (Throwable failure) {
            throw new AssertionError("failed with -Dcrash.seed=" + seed, failure);
        }
    }

    private void verify(List<CrashClient> clients, TrestleProcess server) throws Exception {
        all(clients, client -> client.verify(server));
    }

    /** Entities are current at once, but a table may have been made or dropped in the last seconds. */
    private static void awaitVerified(List<CrashClient> clients, TrestleProcess server) {
        for (CrashClient client : clients) {
            AtomicReference<String> difference = new AtomicReference<>("");
            Deadline.await(difference::get, () -> {
                try {
                    client.verify(server);
                    return true;
                } catch (AssertionError found) {
                    difference.set(String.valueOf(found.getMessage()));
                    return false;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    @Test
    void a_server_that_stood_still_goes_by_what_others_wrote_meanwhile() throws Exception {
        try (TrestleProcess paused = SharedCluster.frontEnd("paused");
                TrestleProcess other = SharedCluster.frontEnd("paused");
                TableConnection here = new TableConnection(paused);
                TableConnection there = new TableConnection(other)) {
            assertThat(here.createTable("rows").status()).isEqualTo(204);
            String changed = insert(here, "changed");
            String deleted = insert(here, "deleted");

            paused.process().suspend();
            Written late = here.write("rows", List.of(change(Kind.MERGE, "changed", changed, "late")), () -> {
                try {
                    assertThat(write(there, change(Kind.MERGE, "changed", changed, "other"))
                                    .made())
                            .isTrue();
                    assertThat(write(there, change(Kind.DELETE, "deleted", deleted, "other"))
                                    .made())
                            .isTrue();
                    insert(there, "new");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    paused.process().resume();
                }
            });

            assertThat(late.code()).isEqualTo("UpdateConditionNotSatisfied");
            Entity current = here.read("rows", "p", "changed").orElseThrow();
            assertThat(current.properties()).isEqualTo(Map.of("By", "other"));
            assertThat(here.read("rows", "p", "deleted")).isEmpty();
            assertThat(here.query("rows", "p", 100).orElseThrow().keySet()).containsExactly("changed", "new");
            assertThat(write(here, change(Kind.REPLACE, "changed", changed, "stale"))
                            .status())
                    .isEqualTo(412);
            assertThat(write(here, change(Kind.DELETE, "deleted", deleted, "stale"))
                            .status())
                    .isEqualTo(404);
            assertThat(write(here, new EntityChange(Kind.INSERT, "p", "new", Optional.empty(), Map.of()))
                            .status())
                    .isEqualTo(409);
            assertThat(write(here, change(Kind.REPLACE, "changed", current.etag(), "late"))
                            .made())
                    .isTrue();
        }
    }

    private static String insert(TableConnection connection, String row) throws IOException {
        Written written =
                write(connection, new EntityChange(Kind.INSERT, "p", row, Optional.empty(), Map.of("By", "first")));
        assertThat(written.made()).as("%s", written).isTrue();
        return written.etags().get(0);
    }

    private static EntityChange change(Kind kind, String row, String etag, String by) {
        return new EntityChange(kind, "p", row, Optional.of(etag), Map.of("By", by));
    }

    private static Written write(TableConnection connection, EntityChange change) throws IOException {
        return connection.write("rows", List.of(change));
    }

    @Test
    void counting_by_etag_through_two_servers_loses_nothing_when_one_stands_still_in_between() throws Exception {
        try (TrestleProcess paused = SharedCluster.frontEnd("counted");
                TrestleProcess other = SharedCluster.frontEnd("counted");
                TableConnection connection = new TableConnection(other)) {
            assertThat(connection.createTable("rows").status()).isEqualTo(204);
            connection.write(
                    "rows", List.of(new EntityChange(Kind.INSERT, "p", "counter", Optional.empty(), Map.of("N", "0"))));
            AtomicInteger here = new AtomicInteger();
            AtomicInteger there = new AtomicInteger();
            AtomicBoolean over = new AtomicBoolean();
            List<Future<?>> counting = new ArrayList<>();
            for (int i = 0; i < COUNTERS; i++) {
                counting.add(threads.submit(counter(paused, here, over)));
                counting.add(threads.submit(counter(other, there, over)));
            }
            awaitMore(here, counting);
            paused.process().suspend();
            try {
                awaitMore(there, counting);
            } finally {
                paused.process().resume();
            }
            awaitMore(here, counting);
            over.set(true);
            for (Future<?> one : counting) {
                one.get();
            }
            assertThat(connection.read("rows", "p", "counter").orElseThrow().properties())
                    .containsEntry("N", Integer.toString(here.get() + there.get()));
        }
    }

    private static void awaitMore(AtomicInteger increments, List<Future<?>> counting) {
        int wanted = increments.get() + INCREMENTS;
        Deadline.await(
                () -> increments + " of " + wanted + " increments",
                () -> increments.get() >= wanted || counting.stream().anyMatch(Future::isDone));
    }

    private static Callable<Void> counter(TrestleProcess server, AtomicInteger made, AtomicBoolean over) {
        return () -> {
            try (TableConnection connection = new TableConnection(server)) {
                while (!over.get()) {
                    Entity read = connection.read("rows", "p", "counter").orElseThrow();
                    int next = Integer.parseInt(read.properties().getOrDefault("N", "")) + 1;
                    Written written = write(
                            connection,
                            new EntityChange(
                                    Kind.MERGE,
                                    "p",
                                    "counter",
                                    Optional.of(read.etag()),
                                    Map.of("N", Integer.toString(next))));
                    assertThat(written.status()).isIn(204, 412);
                    if (written.made()) {
                        made.incrementAndGet();
                    }
                }
                return null;
            }
        };
    }

    private interface Task {
        void run(CrashClient client) throws Exception;
    }

    private void all(List<CrashClient> clients, Task task) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (CrashClient client : clients) {
            running.add(threads.submit(() -> {
                task.run(client);
                return null;
            }));
        }
        for (Future<?> thread : running) {
            thread.get();
        }
    }
}
