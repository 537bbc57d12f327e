package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.EntityChange.Kind;
import dev.trestle.conformance.TableConnection.Entity;
import dev.trestle.conformance.TableConnection.Written;
import dev.trestle.testkit.history.Call;
import dev.trestle.testkit.history.Outcome;
import dev.trestle.testkit.history.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that race for few entities, on a server that is killed now and then, must see one order of all that happens. */
class HistoryIT {
    private static final String TABLE = "histories";
    private static final int CLIENTS = 16;
    private static final int PARTITIONS = 4;
    private static final int ROWS = 3;
    private static final int KILLS = 3;
    private static final int OPERATIONS_BEFORE_A_KILL = 1500;

    @TempDir
    private Path folder;

    @Test
    void clients_racing_for_few_entities_see_one_order_of_things_also_across_kills() throws Exception {
        long seed = System.nanoTime();
        Workload workload = new Workload(seed, CLIENTS, PARTITIONS, ROWS);
        Random random = new Random(seed);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                try (TrestleProcess server = TrestleProcess.on(folder)) {
                    makeTable(server);
                    int end = workload.history().size() + 1 + random.nextInt(OPERATIONS_BEFORE_A_KILL);
                    Future<?> running = thread.submit(() -> {
                        workload.run(() -> new ServerTarget(server), Integer.MAX_VALUE);
                        return null;
                    });
                    Deadline.await(
                            () -> "few operations", () -> workload.history().size() >= end);
                    server.kill();
                    running.get();
                    workload.settle();
                }
            }
        } finally {
            thread.shutdownNow();
        }
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            workload.run(() -> new ServerTarget(server), OPERATIONS_BEFORE_A_KILL / CLIENTS);
        }
        assertThat(workload.history().violation()).as("seed %s", seed).isEmpty();
    }

    private static void makeTable(TrestleProcess server) throws IOException {
        try (TableConnection connection = new TableConnection(server)) {
            assertThat(connection.createTable(TABLE).status()).isIn(204, 409);
        }
    }

    /** The connection of one client. Requests without a response have an unknown outcome. */
    private static final class ServerTarget implements Workload.Target {
        private final TrestleProcess server;
        private Optional<TableConnection> connection = Optional.empty();

        ServerTarget(TrestleProcess server) {
            this.server = server;
        }

        @Override
        public Outcome perform(String partition, Call call) {
            try {
                if (connection.isEmpty()) {
                    connection = Optional.of(new TableConnection(server));
                }
                return perform(connection.get(), partition, call);
            } catch (IOException killed) {
                return new Outcome.Unknown();
            }
        }

        private static Outcome perform(TableConnection connection, String partition, Call call) throws IOException {
            if (call instanceof Call.Read read) {
                return new Outcome.Seen(connection
                        .read(TABLE, partition, read.row())
                        .map(entity -> Map.of(read.row(), row(entity)))
                        .orElse(Map.of()));
            } else if (call instanceof Call.Scan) {
                Map<String, Outcome.Row> rows = new TreeMap<>();
                connection
                        .query(TABLE, partition, 1000)
                        .orElseThrow()
                        .forEach((key, entity) -> rows.put(key, row(entity)));
                return new Outcome.Seen(rows);
            } else if (call instanceof Call.Commit commit) {
                Written written = connection.write(
                        TABLE,
                        commit.changes().stream()
                                .map(change -> change(partition, change))
                                .collect(Collectors.toList()));
                return written.made()
                        ? new Outcome.Committed(written.etags())
                        : new Outcome.Refused(written.index(), reason(written));
            }
            throw new AssertionError(call);
        }

        private static Outcome.Row row(Entity entity) {
            return new Outcome.Row(entity.etag(), entity.properties());
        }

        private static EntityChange change(String partition, Call.Change change) {
            boolean insert = change.condition().equals(Call.Condition.ABSENT);
            Kind kind = insert
                    ? Kind.INSERT
                    : switch (change.kind()) {
                        case PUT -> Kind.REPLACE;
                        case MERGE -> Kind.MERGE;
                        case DELETE -> Kind.DELETE;
                    };
            Optional<String> ifMatch = switch (change.condition().rule()) {
                case NONE, ABSENT -> Optional.empty();
                case PRESENT -> Optional.of("*");
                case VERSION_EQUALS -> Optional.of(change.condition().version());
            };
            return new EntityChange(kind, partition, change.row(), ifMatch, change.columns());
        }

        private static Outcome.Reason reason(Written refused) {
            List<Object> answer = List.of(refused.status(), refused.code());
            if (answer.equals(List.of(409, "EntityAlreadyExists"))) {
                return Outcome.Reason.ROW_EXISTS;
            }
            if (answer.equals(List.of(404, "ResourceNotFound"))) {
                return Outcome.Reason.ROW_MISSING;
            }
            if (answer.equals(List.of(412, "UpdateConditionNotSatisfied"))) {
                return Outcome.Reason.VERSION_DIFFERS;
            }
            throw new AssertionError("refused for no reason that the workload gives: " + refused);
        }

        @Override
        public void close() throws IOException {
            if (connection.isPresent()) {
                connection.get().close();
            }
        }
    }
}
