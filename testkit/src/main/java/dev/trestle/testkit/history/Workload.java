package dev.trestle.testkit.history;

import dev.trestle.testkit.history.Call.Change;
import dev.trestle.testkit.history.Call.Condition;
import dev.trestle.testkit.history.Call.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Concurrent clients that read and write the same few rows, and record their operations and outcomes. Each uses
 * the versions that it has seen in conditions, so many of its changes should be refused. The seed determines the
 * operations of each client, but not their interleaving.
 */
public final class Workload {
    private final List<String> partitions;
    private final List<String> rows;
    private final List<Client> clients;
    private final AtomicInteger ids = new AtomicInteger();
    private final History history = new History();
    private final long start = System.nanoTime();

    public Workload(long seed, int clients, int partitions, int rows) {
        this.partitions = IntStream.range(0, partitions).mapToObj(i -> "p" + i).toList();
        this.rows = IntStream.range(0, rows).mapToObj(i -> "r" + i).toList();
        this.clients = IntStream.range(0, clients)
                .mapToObj(number -> new Client(number, new Random(seed + number)))
                .toList();
    }

    /** The system under test, as one client sees it. Used by one thread. */
    public interface Target extends AutoCloseable {
        /** Performs a call and returns its outcome, {@link Outcome.Unknown} if no response tells it. */
        Outcome perform(String partition, Call call) throws Exception;

        @Override
        default void close() throws IOException {}
    }

    /** Gives each client a target. */
    public interface Targets {
        Target open() throws Exception;
    }

    public History history() {
        return history;
    }

    /**
     * Declares that operations without a response cannot take effect any more. To be called while no client runs.
     */
    public void settle() {
        history.settle(now());
    }

    private long now() {
        return System.nanoTime() - start;
    }

    /** Has every client perform this many operations, or stop at the first without a response. */
    public void run(Targets targets, int operationsOfAClient) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Client client : clients) {
                running.add(threads.submit(() -> {
                    client.run(targets, operationsOfAClient);
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("a client failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private final class Client {
        private final int number;
        private final Random random;
        private final Map<String, String> versions = new HashMap<>();

        Client(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        private void run(Targets targets, int count) throws Exception {
            try (Target target = targets.open()) {
                for (int i = 0; i < count; i++) {
                    int id = ids.incrementAndGet();
                    String partition = oneOf(partitions);
                    Call call = call(partition, id);
                    long invoked = now();
                    Outcome outcome = target.perform(partition, call);
                    boolean unknown = outcome instanceof Outcome.Unknown;
                    long returned = unknown ? Operation.NEVER : now();
                    history.add(partition, new Operation(id, number, call, outcome, invoked, returned));
                    if (unknown) {
                        return;
                    }
                    learn(partition, call, outcome);
                }
            }
        }

        private Call call(String partition, int id) {
            int choice = random.nextInt(100);
            if (choice < 25) {
                return new Call.Read(oneOf(rows));
            }
            if (choice < 45) {
                return new Call.Scan();
            }
            List<String> changed = new ArrayList<>(rows);
            Collections.shuffle(changed, random);
            int size = choice < 80 ? 1 : 2 + random.nextInt(rows.size() - 1);
            return new Call.Commit(changed.subList(0, size).stream()
                    .map(row -> change(partition, row, id))
                    .toList());
        }

        private Change change(String partition, String row, int id) {
            String by = Integer.toString(id);
            Map<String, String> columns = Map.of("By", by, random.nextBoolean() ? "A" : "B", by);
            int choice = random.nextInt(100);
            if (choice < 15) {
                return new Change(Kind.PUT, row, Condition.ABSENT, columns);
            }
            Kind kind = choice < 50 ? Kind.PUT : choice < 85 ? Kind.MERGE : Kind.DELETE;
            String version = versions.get(partition + row);
            int rule = random.nextInt(100);
            Condition condition;
            if (rule < 60 && version != null) {
                condition = Condition.versionEquals(version);
            } else if (rule < 75 || kind == Kind.DELETE) {
                condition = Condition.PRESENT;
            } else {
                condition = Condition.NONE;
            }
            return new Change(kind, row, condition, kind == Kind.DELETE ? Map.of() : columns);
        }

        private void learn(String partition, Call call, Outcome outcome) {
            if (outcome instanceof Outcome.Seen seen) {
                seen.rows().forEach((row, content) -> versions.put(partition + row, content.version()));
            } else if (outcome instanceof Outcome.Committed committed && call instanceof Call.Commit commit) {
                for (int i = 0; i < commit.changes().size(); i++) {
                    Change change = commit.changes().get(i);
                    if (change.kind() != Kind.DELETE) {
                        versions.put(
                                partition + change.row(), committed.versions().get(i));
                    }
                }
            }
        }

        private <T> T oneOf(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }
    }
}
