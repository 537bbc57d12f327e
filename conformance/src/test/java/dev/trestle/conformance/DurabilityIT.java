package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceCorsRule;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledged writes survive any end of the process; deleted rows stay deleted. */
class DurabilityIT {
    private static final String TABLE = "durable";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"synced", "buffered"})
    void a_killed_server_has_every_acknowledged_write_when_it_comes_back(String durability) throws Exception {
        int writers = 4;
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        Set<String> attempted = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try (TrestleProcess server = TrestleProcess.start("--data", folder.toString(), "--durability", durability)) {
            Sdk.service(server).createTable(TABLE);
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                String prefix = "writer " + writer + " row ";
                running.add(threads.submit(() -> writeUntilKilled(server, prefix, attempted, acknowledged)));
            }
            Deadline.await(() -> acknowledged.size() + " writes", () -> acknowledged.size() > 300);
            server.kill();
            for (Future<?> writer : running) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            Set<String> found = Sdk.service(server).getTableClient(TABLE).listEntities().stream()
                    .map(TableEntity::getRowKey)
                    .collect(Collectors.toCollection(HashSet::new));
            assertThat(found).containsAll(acknowledged).isSubsetOf(attempted);
        }
    }

    private static void writeUntilKilled(
            TrestleProcess server, String prefix, Set<String> attempted, Set<String> acknowledged) {
        try (RawConnection connection = new RawConnection(server)) {
            for (int row = 0; ; row++) {
                String key = prefix + row;
                attempted.add(key);
                RawResponse answer = connection.exchange(RawRequest.of("POST", "/" + TABLE)
                        .with("Prefer", "return-no-content")
                        .json("{\"PartitionKey\":\"p\",\"RowKey\":\"" + key + "\"}"));
                assertThat(answer.status()).isEqualTo(204);
                acknowledged.add(key);
            }
        } catch (IOException killed) {
            // The way this ends.
        }
    }

    @Test
    void transactions_killed_half_way_are_there_wholly_or_not_at_all() throws Exception {
        int rows = 50;
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableClient table = Sdk.service(server).createTable(TABLE);
            Future<?> writer = thread.submit(() -> {
                for (int round = 0; server.process().isAlive(); round++) {
                    int number = round;
                    try {
                        table.submitTransaction(creations("round " + String.format("%04d", number), 0, rows));
                    } catch (RuntimeException killed) {
                        return;
                    }
                    acknowledged.add(number);
                }
            });
            Deadline.await(() -> acknowledged.size() + " transactions", () -> acknowledged.size() > 20);
            server.kill();
            writer.get();
        } finally {
            thread.shutdownNow();
        }
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            var perRound = Sdk.service(server).getTableClient(TABLE).listEntities().stream()
                    .collect(Collectors.groupingBy(TableEntity::getPartitionKey, Collectors.counting()));
            assertThat(perRound.values()).containsOnly((long) rows);
            assertThat(perRound.size()).isBetween(acknowledged.size(), acknowledged.size() + 1);
        }
    }

    private static List<TableTransactionAction> creations(String partitionKey, int from, int to) {
        List<TableTransactionAction> actions = new ArrayList<>();
        for (int row = from; row < to; row++) {
            actions.add(new TableTransactionAction(
                    TableTransactionActionType.CREATE, new TableEntity(partitionKey, String.format("%06d", row))));
        }
        return actions;
    }

    @Test
    void everything_is_as_it_was_after_a_restart() {
        String etag;
        String token;
        ListEntitiesOptions options = new ListEntitiesOptions().setTop(10);
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableServiceClient service = Sdk.service(server);
            TableClient table = service.createTable(TABLE);
            table.submitTransaction(creations("p", 0, 30));
            etag = table.getEntity("p", "000007").getETag();
            table.setAccessPolicies(List.of(new TableSignedIdentifier("kept")
                    .setAccessPolicy(new TableAccessPolicy()
                            .setExpiresOn(OffsetDateTime.parse("2036-01-01T00:00:00Z"))
                            .setPermissions("r"))));
            service.setProperties(new TableServiceProperties()
                    .setCorsRules(List.of(new TableServiceCorsRule()
                            .setAllowedOrigins("https://kept.example")
                            .setAllowedMethods("GET")
                            .setAllowedHeaders("")
                            .setExposedHeaders("")
                            .setMaxAgeInSeconds(1))));
            PagedResponse<TableEntity> page = table.listEntities(options, null, null)
                    .iterableByPage()
                    .iterator()
                    .next();
            token = page.getContinuationToken();
            server.stop();
        }
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableServiceClient service = Sdk.service(server);
            TableClient table = service.getTableClient(TABLE);
            assertThat(table.listEntities(options, null, null)
                            .streamByPage(token)
                            .flatMap(page -> page.getValue().stream())
                            .map(TableEntity::getRowKey))
                    .hasSize(20)
                    .startsWith("000010")
                    .endsWith("000029");
            assertThat(table.getEntity("p", "000007").getETag()).isEqualTo(etag);
            assertThat(table.getAccessPolicies().getIdentifiers())
                    .extracting(TableSignedIdentifier::getId)
                    .containsExactly("kept");
            assertThat(service.getProperties().getCorsRules())
                    .extracting(TableServiceCorsRule::getAllowedOrigins)
                    .containsExactly("https://kept.example");
        }
    }

    @Test
    void deleting_a_large_table_answers_at_once_and_its_rows_are_never_seen_again() {
        int rows = 10_000;
        try (TrestleProcess server = TrestleProcess.start("--data", folder.toString(), "--durability", "buffered")) {
            TableServiceClient service = Sdk.service(server);
            service.createTable("neighbour").createEntity(new TableEntity("p", "r"));
            TableClient table = service.createTable(TABLE);
            for (int row = 0; row < rows; row += 100) {
                table.submitTransaction(creations("p", row, row + 100));
            }
            long before = System.nanoTime();
            table.deleteTable();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
            service.createTable(TABLE);
            assertThat(table.listEntities()).isEmpty();
            table.createEntity(new TableEntity("p", "000007").addProperty("New", true));
            assertThat(table.listEntities()).hasSize(1);
            table.deleteTable();
            server.kill();
        }
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableServiceClient service = Sdk.service(server);
            TableClient table = service.getTableClient(TABLE);
            Sdk.refused(404, "TableNotFound", () -> table.getEntity("p", "000007"));
            service.createTable(TABLE);
            assertThat(table.listEntities()).isEmpty();
            Sdk.refused(404, "ResourceNotFound", () -> table.getEntity("p", "000008"));
            assertThat(service.getTableClient("neighbour").listEntities()).hasSize(1);
        }
    }

    @Test
    void a_delete_that_was_acknowledged_just_before_the_kill_holds() throws IOException {
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableClient table = Sdk.service(server).createTable(TABLE);
            for (int row = 0; row < 1000; row += 100) {
                table.submitTransaction(creations("p", row, row + 100));
            }
            try (RawConnection connection = new RawConnection(server)) {
                assertThat(connection
                                .exchange(RawRequest.of("DELETE", "/Tables('" + TABLE + "')"))
                                .status())
                        .isEqualTo(204);
                server.kill();
            }
        }
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            TableClient table = Sdk.service(server).createTable(TABLE);
            assertThat(table.listEntities()).isEmpty();
        }
    }
}
