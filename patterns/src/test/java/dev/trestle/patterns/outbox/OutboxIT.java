package dev.trestle.patterns.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.HttpPipelineSyncPolicy;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Employee;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Eventually;
import dev.trestle.patterns.StopAfter;
import dev.trestle.patterns.TemporaryResources;
import dev.trestle.patterns.WithTrestle;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.outbox.Worker.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Eventual transactions over several tables, with crashes of workers at every point. */
@ExtendWith(WithTrestle.class)
class OutboxIT {
    private static final EntityKey KEY = new EntityKey("Sales", "empid_000456");
    private static final WorkerOptions QUICK =
            WorkerOptions.standard().withVisibility(Duration.ofSeconds(1)).withPoll(Duration.ofMillis(20));

    private final ServerProcess server;
    private final StopAfter stop = new StopAfter();
    private final TemporaryResources resources;
    private final EntityTable<Employee> current;
    private final EntityTable<Employee> archive;
    private final QueueClient queue;
    private final QueueClient poison;
    private final TransactionQueue<EntityKey> transactions;

    OutboxIT(ServerProcess server) {
        this.server = server;
        resources = new TemporaryResources(server.connectionString(), stop);
        current = EntityTable.of(resources.table("current"), Employee.class);
        archive = EntityTable.of(resources.table("archive"), Employee.class);
        queue = resources.queue("archiving");
        poison = resources.queue("archiving-poison");
        transactions = TransactionQueue.of(queue, poison, MessageFormat.entityKey());
    }

    @AfterEach
    void clean() {
        resources.close();
    }

    private boolean archived(EntityKey key) {
        return current.find(key).isEmpty() && archive.find(key).isPresent();
    }

    @Test
    void several_workers_archive_everything_once_begun() {
        List<EntityKey> keys = IntStream.range(0, 30)
                .mapToObj(
                        id -> current.insert(Employee.of("Sales", id, "Jones")).key())
                .toList();
        try (Worker<EntityKey> one = transactions
                        .worker(EventualTransaction.move(current, archive), QUICK)
                        .start(2);
                Worker<EntityKey> two = transactions
                        .worker(EventualTransaction.move(current, archive), QUICK)
                        .start(2)) {
            keys.parallelStream().forEach(transactions::begin);
            Eventually.await("all entities archived", () -> keys.stream().allMatch(this::archived));
            assertThat(one).isNotSameAs(two);
        }
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
    }

    @Test
    void a_worker_stopped_after_any_request_is_followed_by_one_that_ends_the_work() {
        int requests = stop.everywhere(
                () -> {
                    queue.clearMessages();
                    current.upsert(Employee.of("Sales", 456, "Hall"));
                    archive.delete(KEY);
                    transactions.begin(KEY);
                },
                () -> {
                    Worker<EntityKey> first = transactions.worker(EventualTransaction.move(current, archive), QUICK);
                    first.performOne();
                    first.close();
                },
                () -> {
                    assertThat(current.find(KEY).or(() -> archive.find(KEY)))
                            .as("in one table at least")
                            .isPresent();
                    try (Worker<EntityKey> second =
                            transactions.worker(EventualTransaction.move(current, archive), QUICK)) {
                        Eventually.await(
                                "the entity archived", () -> second.performOne() == Outcome.DONE || archived(KEY));
                    }
                    assertThat(archived(KEY)).isTrue();
                });
        // Receive; read and copy; read, compare and delete; delete the message.
        assertThat(requests).isEqualTo(7);
    }

    @Test
    void a_message_stays_hidden_while_its_step_takes_longer_than_the_visibility() {
        AtomicInteger renewals = new AtomicInteger();
        HttpPipelinePolicy countingRenewals = new HttpPipelineSyncPolicy() {
            @Override
            protected HttpResponse afterReceivedResponse(HttpPipelineCallContext call, HttpResponse response) {
                if (call.getHttpRequest().getHttpMethod() == HttpMethod.PUT) {
                    renewals.incrementAndGet();
                }
                return response;
            }
        };
        QueueClient counted = new QueueClientBuilder()
                .connectionString(server.connectionString())
                .queueName(queue.getQueueName())
                .addPolicy(countingRenewals)
                .buildClient();
        TransactionQueue<EntityKey> renewed = TransactionQueue.of(counted, poison, MessageFormat.entityKey());
        AtomicInteger performed = new AtomicInteger();
        // A lease is renewed three times per visibility timeout, so the step outlasts the timeout.
        EventualTransaction<EntityKey> slow = EventualTransaction.of("wait", key -> {
            performed.incrementAndGet();
            Eventually.await("four renewals", () -> renewals.get() >= 4);
        });
        // Long enough that a busy machine does not delay all renewals past it.
        WorkerOptions patient = QUICK.withVisibility(Duration.ofSeconds(3));
        renewed.begin(KEY);
        try (Worker<EntityKey> one = renewed.worker(slow, patient);
                Worker<EntityKey> other = renewed.worker(slow, patient)) {
            other.start(1);
            one.start(1);
            Eventually.await("the message deleted", this::queueIsEmpty);
        }
        assertThat(performed).hasValue(1);
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
    }

    private boolean queueIsEmpty() {
        return queue.getProperties().getApproximateMessagesCountLong() == 0;
    }

    @Test
    void a_message_that_fails_too_often_goes_to_the_poison_queue_and_keeps_none_waiting() {
        ConcurrentHashMap<EntityKey, AtomicInteger> attempts = new ConcurrentHashMap<>();
        EventualTransaction<EntityKey> picky = EventualTransaction.of("refuse", key -> {
            attempts.computeIfAbsent(key, missing -> new AtomicInteger()).incrementAndGet();
            if (key.equals(KEY)) {
                throw new IllegalStateException("never");
            }
        });
        EntityKey good = new EntityKey("Sales", "empid_000001");
        transactions.begin(KEY);
        transactions.begin(good);
        List<Outcome> outcomes = new ArrayList<>();
        try (Worker<EntityKey> worker = transactions.worker(picky, QUICK.withAttemptsMax(2))) {
            Eventually.await("a message moved to the poison queue", () -> {
                outcomes.add(worker.performOne());
                return outcomes.contains(Outcome.POISONED);
            });
        }
        assertThat(attempts.get(KEY)).hasValue(2);
        assertThat(attempts.get(good)).hasValue(1);
        assertThat(poison.receiveMessage().getBody().toString())
                .isEqualTo(MessageFormat.entityKey().write().apply(KEY));
        assertThat(queue.getProperties().getApproximateMessagesCountLong()).isZero();
    }

    @Test
    void a_change_made_between_copying_and_deleting_is_archived_too() {
        current.insert(Employee.of("Sales", 456, "Hall"));
        AtomicInteger copies = new AtomicInteger();
        HttpPipelinePolicy disturbing = new HttpPipelineSyncPolicy() {
            @Override
            protected HttpResponse afterReceivedResponse(HttpPipelineCallContext call, HttpResponse response) {
                if (call.getHttpRequest().getHttpMethod() != HttpMethod.GET && copies.getAndIncrement() == 0) {
                    current.update(KEY, e -> e.withAge(99));
                }
                return response;
            }
        };
        TableClient disturbed = new TableClientBuilder()
                .connectionString(server.connectionString())
                .tableName(archive.client().getTableName())
                .addPolicy(disturbing)
                .buildClient();
        EventualTransaction<EntityKey> move =
                EventualTransaction.move(current, EntityTable.of(disturbed, Employee.class));
        transactions.begin(KEY);
        try (Worker<EntityKey> worker = transactions.worker(move, QUICK)) {
            assertThat(worker.performOne()).isEqualTo(Outcome.FAILED);
            Eventually.await("the transaction done", () -> worker.performOne() == Outcome.DONE);
        }
        assertThat(archive.find(KEY).orElseThrow().value().age()).isEqualTo(99);
        assertThat(current.find(KEY)).isEmpty();
    }

    @Test
    void a_worker_killed_at_any_step_is_followed_by_another() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int step = 0; step <= 2; step++) {
            EntityKey key = current.insert(Employee.of("Sales", step, "Hall")).key();
            QueueClient own = resources.queue("killed" + step);
            TransactionQueue<EntityKey> one = TransactionQueue.of(own, poison, MessageFormat.entityKey());
            one.begin(key);
            processes.add(HangingWorker.start(server, current.client(), archive.client(), own, step));
        }
        for (int step = 0; step <= 2; step++) {
            EntityKey key = new EntityKey("Sales", "empid_00000" + step);
            HangingWorker.awaitAndKill(processes.get(step));
            assertThat(archive.find(key).isPresent()).isEqualTo(step > 0);
            assertThat(current.find(key).isPresent()).isEqualTo(step < 2);
            QueueClient own = HangingWorker.queue(server, resources.named("killed" + step));
            try (Worker<EntityKey> next = TransactionQueue.of(own, poison, MessageFormat.entityKey())
                    .worker(EventualTransaction.move(current, archive), QUICK)) {
                Eventually.await("the transaction done", () -> next.performOne() == Outcome.DONE);
            }
            assertThat(archived(key)).isTrue();
        }
    }

    /** A separate process with a worker, to be killed during a step. */
    static final class HangingWorker {
        private HangingWorker() {}

        static Process start(
                ServerProcess server, TableClient current, TableClient archive, QueueClient queue, int step)
                throws IOException {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            HangingWorker.class.getName(),
                            server.connectionString(),
                            current.getTableName(),
                            archive.getTableName(),
                            queue.getQueueName(),
                            Integer.toString(step))
                    .redirectErrorStream(true)
                    .start();
        }

        static void awaitAndKill(Process process) throws Exception {
            StringBuilder output = new StringBuilder();
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); ; line = lines.readLine()) {
                    assertThat(line).as(output.toString()).isNotNull();
                    output.append(line).append('\n');
                    if (line.equals("hanging")) {
                        break;
                    }
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }

        static QueueClient queue(ServerProcess server, String name) {
            return queue(server.connectionString(), name);
        }

        private static QueueClient queue(String connectionString, String name) {
            return new QueueClientBuilder()
                    .connectionString(connectionString)
                    .queueName(name)
                    .buildClient();
        }

        /** Arguments: connection string, names of both tables and of the queue, and the number of steps before it hangs. */
        public static void main(String[] arguments) {
            TableServiceClient tables = new TableServiceClientBuilder()
                    .connectionString(arguments[0])
                    .buildClient();
            EntityTable<Employee> from = EntityTable.of(tables.getTableClient(arguments[1]), Employee.class);
            EntityTable<Employee> to = EntityTable.of(tables.getTableClient(arguments[2]), Employee.class);
            QueueClient queue = queue(arguments[0], arguments[3]);
            int step = Integer.parseInt(arguments[4]);
            EventualTransaction<EntityKey> hanging = EventualTransaction.<EntityKey>of("0", key -> hang(step == 0))
                    .then("1", key -> from.find(key).ifPresent(found -> to.upsert(found.value())))
                    .then("2", key -> hang(step == 1))
                    .then("3", from::delete)
                    .then("4", key -> hang(true));
            TransactionQueue.of(queue, queue, MessageFormat.entityKey())
                    .worker(hanging, QUICK)
                    .performOne();
        }

        private static void hang(boolean here) {
            if (here) {
                System.out.println("hanging");
                try {
                    // Never counted down; the timeout ends a process that was not killed.
                    boolean released = new CountDownLatch(1).await(1, TimeUnit.MINUTES);
                    throw new IllegalStateException("Not killed: " + released);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
