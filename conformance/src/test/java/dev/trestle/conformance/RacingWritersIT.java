package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.trestle.conformance.TableConnection.Entity;
import dev.trestle.conformance.TableConnection.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class RacingWritersIT {
    private static final int WRITERS = 16;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final TrestleProcess server;
    private final TableClient table;

    RacingWritersIT(TrestleProcess server) {
        this.server = server;
        this.table = Sdk.newTable(server);
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void of_two_writers_with_one_etag_exactly_one_wins() throws Exception {
        for (int round = 0; round < 50; round++) {
            TableEntity fresh = new TableEntity("p", "round " + round).addProperty("Winner", -1);
            table.createEntity(fresh);
            String rowKey = fresh.getRowKey();
            TableEntity read = table.getEntity("p", rowKey);
            CyclicBarrier together = new CyclicBarrier(2);
            List<Boolean> won = all(2, writer -> {
                TableEntity mine = new TableEntity("p", rowKey).setProperties(read.getProperties());
                mine.addProperty("Winner", writer);
                together.await();
                return succeeds(() -> table.updateEntityWithResponse(
                        mine,
                        writer == 0 ? TableEntityUpdateMode.REPLACE : TableEntityUpdateMode.MERGE,
                        true,
                        null,
                        null));
            });
            assertThat(won).containsOnlyOnce(true);
            assertThat(table.getEntity("p", rowKey).getProperty("Winner")).isEqualTo(won.indexOf(true));
        }
    }

    @Test
    void of_many_inserts_of_one_entity_exactly_one_wins() throws Exception {
        CyclicBarrier together = new CyclicBarrier(WRITERS);
        List<Boolean> won = all(WRITERS, writer -> {
            together.await();
            return succeeds(() -> table.createEntity(new TableEntity("p", "one").addProperty("Winner", writer)));
        });
        assertThat(won).containsOnlyOnce(true);
        assertThat(table.getEntity("p", "one").getProperty("Winner")).isEqualTo(won.indexOf(true));
    }

    @Test
    void sixteen_threads_counting_by_etag_lose_no_increment() throws Exception {
        int increments = 15;
        table.createEntity(new TableEntity("p", "counter").addProperty("N", 0));
        all(WRITERS, writer -> {
            for (int done = 0; done < increments; ) {
                TableEntity counter = table.getEntity("p", "counter");
                counter.addProperty("N", (int) counter.getProperty("N") + 1);
                if (succeeds(() ->
                        table.updateEntityWithResponse(counter, TableEntityUpdateMode.REPLACE, true, null, null))) {
                    done++;
                }
            }
            return true;
        });
        assertThat(table.getEntity("p", "counter").getProperty("N")).isEqualTo(WRITERS * increments);
    }

    @Test
    void sixty_four_clients_counting_by_read_and_merge_lose_no_increment() throws Exception {
        int counters = 64;
        int increments = 10;
        String name = table.getTableName();
        table.createEntity(new TableEntity("p", "counter").addProperty("N", "0").addProperty("Kept", "yes"));
        ExecutorService many = Executors.newFixedThreadPool(counters);
        try {
            all(many, counters, writer -> {
                try (TableConnection connection = new TableConnection(server)) {
                    for (int done = 0; done < increments; ) {
                        Entity read = connection.read(name, "p", "counter").orElseThrow();
                        int next = Integer.parseInt(read.properties().getOrDefault("N", "")) + 1;
                        Written written = connection.write(
                                name,
                                List.of(new EntityChange(
                                        EntityChange.Kind.MERGE,
                                        "p",
                                        "counter",
                                        Optional.of(read.etag()),
                                        Map.of("N", Integer.toString(next)))));
                        assertThat(written.status()).isIn(204, 412);
                        if (written.made()) {
                            done++;
                        }
                    }
                    return true;
                }
            });
        } finally {
            many.shutdownNow();
        }
        assertThat(table.getEntity("p", "counter").getProperties())
                .containsEntry("N", Integer.toString(counters * increments))
                .containsEntry("Kept", "yes");
    }

    @Test
    void readers_see_a_transaction_wholly_or_not_at_all() throws Exception {
        int rows = 20;
        int rounds = 20;
        all(2, role -> {
            for (int round = 0; round < rounds; round++) {
                if (role == 0) {
                    List<TableTransactionAction> actions = new ArrayList<>();
                    for (int row = 0; row < rows; row++) {
                        actions.add(new TableTransactionAction(
                                TableTransactionActionType.UPSERT_REPLACE,
                                new TableEntity("p", "row " + row).addProperty("Round", round)));
                    }
                    table.submitTransaction(actions);
                } else {
                    List<Object> seen = table.listEntities().stream()
                            .map(entity -> entity.getProperty("Round"))
                            .toList();
                    assertThat(seen.size()).isIn(0, rows);
                    assertThat(seen.stream().distinct().count()).isLessThanOrEqualTo(1);
                }
            }
            return true;
        });
    }

    private interface Write {
        void run();
    }

    /** Whether the write was accepted; the only expected refusals are conflicts with an earlier write. */
    private static boolean succeeds(Write write) {
        try {
            write.run();
            return true;
        } catch (TableServiceException e) {
            assertThat(e.getResponse().getStatusCode()).isIn(409, 412);
            return false;
        }
    }

    private interface Task<T> {
        T run(int index) throws Exception;
    }

    private <T> List<T> all(int count, Task<T> task) throws InterruptedException, ExecutionException {
        return all(threads, count, task);
    }

    private static <T> List<T> all(ExecutorService threads, int count, Task<T> task)
            throws InterruptedException, ExecutionException {
        List<Callable<T>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int index = i;
            calls.add(() -> task.run(index));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : threads.invokeAll(calls)) {
            results.add(future.get());
        }
        return results;
    }
}
