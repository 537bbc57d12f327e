package dev.trestle.patterns.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Employee;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Eventually;
import dev.trestle.patterns.WithTrestle;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.outbox.Worker.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction whose server is killed after each of its steps and restarted on the same data folder. */
class KilledServerIT {
    private static final EntityKey KEY = new EntityKey("Sales", "empid_000456");
    private static final WorkerOptions QUICK = WorkerOptions.standard().withVisibility(Duration.ofSeconds(1));

    /** One run of the server, with clients for its ports. */
    private static final class ServerRun {
        private final ServerProcess server;
        private final QueueServiceClient queues;
        private final EntityTable<Employee> current;
        private final EntityTable<Employee> archive;

        ServerRun(Path folder) {
            server = WithTrestle.start("--data", folder.toString());
            TableServiceClient tables = new TableServiceClientBuilder()
                    .connectionString(server.connectionString())
                    .buildClient();
            queues = new QueueServiceClientBuilder()
                    .connectionString(server.connectionString())
                    .buildClient();
            current = EntityTable.of(tables.getTableClient("current"), Employee.class);
            archive = EntityTable.of(tables.getTableClient("archive"), Employee.class);
        }

        TransactionQueue<EntityKey> queue() {
            QueueClient queue = queues.getQueueClient("archiving");
            return TransactionQueue.of(queue, queues.getQueueClient("poison"), MessageFormat.entityKey());
        }

        /** Kills the server and fails the step. */
        void kill() {
            server.close();
            throw new IllegalStateException("The server was killed");
        }

        Outcome performOne(EventualTransaction<EntityKey> transaction) {
            try (Worker<EntityKey> worker = queue().worker(transaction, QUICK)) {
                return worker.performOne();
            }
        }

        /** Waits until the message is visible and returns the outcome. */
        Outcome perform(EventualTransaction<EntityKey> transaction) {
            List<Outcome> outcomes = new ArrayList<>();
            try (Worker<EntityKey> worker = queue().worker(transaction, QUICK)) {
                Eventually.await("a visible message", () -> {
                    Outcome outcome = worker.performOne();
                    outcomes.add(outcome);
                    return outcome != Outcome.NOTHING_TO_DO;
                });
            }
            return outcomes.get(outcomes.size() - 1);
        }

        long messages() {
            return queues.getQueueClient("archiving").getProperties().getApproximateMessagesCountLong();
        }

        EventualTransaction<EntityKey> copying() {
            return EventualTransaction.of(
                    "copy", key -> current.find(key).ifPresent(found -> archive.upsert(found.value())));
        }
    }

    @Test
    void what_was_done_is_kept_and_the_rest_is_done_later(@TempDir Path folder) {
        ServerRun first = new ServerRun(folder);
        first.current.createIfMissing().insert(Employee.of("Sales", 456, "Hall"));
        first.archive.createIfMissing();
        first.queues.createQueue("archiving");
        first.queue().begin(KEY);
        assertThat(first.perform(first.copying().then("die", key -> first.kill())))
                .isEqualTo(Outcome.FAILED);

        ServerRun second = new ServerRun(folder);
        assertThat(second.archive.find(KEY)).isPresent();
        assertThat(second.current.find(KEY)).isPresent();
        EventualTransaction<EntityKey> almost =
                second.copying().then("delete", second.current::delete).then("die", key -> second.kill());
        assertThat(second.perform(almost)).isEqualTo(Outcome.FAILED);

        ServerRun third = new ServerRun(folder);
        assertThat(third.perform(EventualTransaction.move(third.current, third.archive)))
                .isEqualTo(Outcome.DONE);
        assertThat(third.archive.find(KEY)).isPresent();
        assertThat(third.current.find(KEY)).isEmpty();
        // Counts invisible messages too.
        assertThat(third.messages()).isZero();
        assertThat(third.performOne(third.copying())).isEqualTo(Outcome.NOTHING_TO_DO);
        third.server.close();
    }
}
