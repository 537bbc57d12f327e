package dev.trestle.patterns.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.TrestleProcess;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.examples.Employee;
import dev.trestle.patterns.outbox.Worker.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction whose server is killed after each of its steps, and started again on the same folder. */
class KilledServerIT {
    private static final EntityKey KEY = new EntityKey("Sales", "empid_000456");
    private static final WorkerOptions QUICK = WorkerOptions.standard().withVisibility(Duration.ofSeconds(1));

    /** One life of the server, with the clients that know its ports. */
    private static final class Life {
        private final TrestleProcess server;
        private final QueueServiceClient queues;
        private final EntityTable<Employee> current;
        private final EntityTable<Employee> archive;

        Life(Path folder) {
            server = TrestleProcess.start("--data", folder.toString());
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

        /** Ends as the server does: without a word. */
        void kill() {
            server.close();
            throw new IllegalStateException("the server is gone");
        }

        Outcome perform(EventualTransaction<EntityKey> transaction) throws InterruptedException {
            try (Worker<EntityKey> worker = queue().worker(transaction, QUICK)) {
                Outcome outcome = worker.performOne();
                for (int i = 0; i < 100 && outcome == Outcome.NOTHING_TO_DO; i++) {
                    Thread.sleep(50);
                    outcome = worker.performOne();
                }
                return outcome;
            }
        }

        EventualTransaction<EntityKey> copying() {
            return EventualTransaction.of(
                    "copy", key -> current.find(key).ifPresent(found -> archive.upsert(found.value())));
        }
    }

    @Test
    void what_was_done_is_kept_and_the_rest_is_done_later(@TempDir Path folder) throws InterruptedException {
        Life first = new Life(folder);
        first.current.createIfMissing().insert(Employee.of("Sales", 456, "Hall"));
        first.archive.createIfMissing();
        first.queues.createQueue("archiving");
        first.queue().begin(KEY);
        assertThat(first.perform(first.copying().then("die", key -> first.kill())))
                .isEqualTo(Outcome.FAILED);

        Life second = new Life(folder);
        assertThat(second.archive.find(KEY)).isPresent();
        assertThat(second.current.find(KEY)).isPresent();
        EventualTransaction<EntityKey> almost =
                second.copying().then("delete", second.current::delete).then("die", key -> second.kill());
        assertThat(second.perform(almost)).isEqualTo(Outcome.FAILED);

        Life third = new Life(folder);
        assertThat(third.perform(EventualTransaction.move(third.current, third.archive)))
                .isEqualTo(Outcome.DONE);
        assertThat(third.archive.find(KEY)).isPresent();
        assertThat(third.current.find(KEY)).isEmpty();
        assertThat(third.perform(third.copying())).isEqualTo(Outcome.NOTHING_TO_DO);
        third.server.close();
    }
}
