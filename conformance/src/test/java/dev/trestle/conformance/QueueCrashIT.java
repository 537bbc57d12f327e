package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.QueueConnection.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server while some put messages and others take, release and delete them, again and again on the same folder.
 * {@code -Dcrash.kills} and {@code -Dcrash.seed} are as for {@link CrashIT}.
 */
class QueueCrashIT {
    private static final int KILLS = Integer.getInteger("crash.kills", 10);
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 4;
    private static final int REQUESTS_BEFORE_A_KILL_MAX = 300;
    private static final int MANY = 20_000;
    private static final int SENT_AT_ONCE = 100;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String QUEUE = "jobs";

    private final long seed = Long.getLong("crash.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final QueueLedger ledger = new QueueLedger();
    private final AtomicInteger texts = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + CONSUMERS);

    @TempDir
    private Path folder;

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void a_server_killed_at_any_moment_loses_no_message_and_gives_none_to_two() throws Exception {
        int kill = 0;
        try {
            for (; kill < KILLS; kill++) {
                killUnderLoad(kill % 4 == 3 ? "buffered" : "synced");
            }
            try (TrestleProcess server = TrestleProcess.on(folder);
                    QueueConnection queue = new QueueConnection(server, QUEUE)) {
                ledger.verify(queue);
                ledger.drain(queue);
            }
        } catch (Throwable failure) {
            throw new AssertionError("failed at kill " + kill + " with -Dcrash.seed=" + seed, failure);
        }
    }

    private void killUnderLoad(String durability) throws Exception {
        try (TrestleProcess server = TrestleProcess.start("--data", folder.toString(), "--durability", durability)) {
            try (QueueConnection queue = new QueueConnection(server, QUEUE)) {
                assertThat(queue.create()).isIn(201, 204);
                ledger.verify(queue);
            }
            KillSwitch kill = new KillSwitch(
                    server, KillSwitch.Moment.AFTER_A_WRITE, 20 + random.nextInt(REQUESTS_BEFORE_A_KILL_MAX));
            List<Callable<Void>> clients = new ArrayList<>();
            for (int i = 0; i < PRODUCERS + CONSUMERS; i++) {
                Random choices = new Random(random.nextLong());
                boolean producer = i < PRODUCERS;
                clients.add(() -> untilKilled(server, kill, choices, producer));
            }
            runAll(clients);
        }
    }

    private Void untilKilled(TrestleProcess server, KillSwitch kill, Random choices, boolean producer) {
        try (QueueConnection queue = new QueueConnection(server, QUEUE)) {
            while (true) {
                if (producer) {
                    produce(queue, choices);
                    kill.acknowledged();
                } else {
                    consume(server, queue, kill, choices);
                }
            }
        } catch (IOException killed) {
            // The way this ends.
            return null;
        }
    }

    private void produce(QueueConnection queue, Random choices) throws IOException {
        List<String> batch = new ArrayList<>();
        for (int left = 1 + choices.nextInt(4); left > 0; left--) {
            String text = "m" + texts.incrementAndGet() + " " + "x".repeat(choices.nextInt(2000));
            ledger.putting(text);
            batch.add(text);
        }
        List<Shown> put = queue.put(batch);
        for (int i = 0; i < batch.size(); i++) {
            ledger.put(batch.get(i), put.get(i));
        }
    }

    private void consume(TrestleProcess server, QueueConnection queue, KillSwitch kill, Random choices)
            throws IOException {
        int wanted = 1 + choices.nextInt(4);
        ledger.taking(wanted);
        List<Shown> taken = queue.take(wanted, QueueLedger.HIDDEN_SECONDS);
        ledger.taken(wanted, taken);
        kill.acknowledged();
        if (taken.isEmpty()) {
            server.process().exitsWithin(PAUSE);
        }
        for (Shown message : taken) {
            int choice = choices.nextInt(100);
            if (choice < 40) {
                ledger.removing(message);
                assertThat(queue.remove(message.id(), message.receipt())).isEqualTo(204);
                ledger.removed(message);
                kill.acknowledged();
            } else if (choice < 75) {
                String text = message.text() + ".";
                ledger.releasing(message, text);
                assertThat(queue.release(message.id(), message.receipt(), text)).isEqualTo(204);
                ledger.released(message, text);
                kill.acknowledged();
            }
        }
    }

    @Test
    void a_queue_of_many_messages_is_emptied_at_once_and_for_good() throws Exception {
        try (TrestleProcess server = fast();
                QueueConnection queue = new QueueConnection(server, QUEUE)) {
            assertThat(queue.create()).isEqualTo(201);
            fill(server);
            assertThat(queue.count()).isEqualTo(MANY);
            assertThat(queue.take(32, QueueLedger.HIDDEN_SECONDS)).hasSize(32);
            assertThat(queue.clear()).isEqualTo(204);
            assertEmpty(queue);
            queue.put("after");
        }
        try (TrestleProcess server = fast();
                QueueConnection queue = new QueueConnection(server, QUEUE)) {
            assertThat(queue.count()).isEqualTo(1);
            assertThat(queue.peek()).extracting(Shown::text).containsExactly("after");
            fill(server);
        }
        try (TrestleProcess server = fast();
                QueueConnection queue = new QueueConnection(server, QUEUE)) {
            assertThat(queue.count()).isEqualTo(MANY + 1);
            assertThat(queue.delete()).isEqualTo(204);
            assertThat(queue.delete()).isEqualTo(404);
        }
        try (TrestleProcess server = fast();
                QueueConnection queue = new QueueConnection(server, QUEUE)) {
            assertThat(queue.delete()).isEqualTo(404);
            assertThat(queue.create()).isEqualTo(201);
            assertEmpty(queue);
        }
    }

    /** A server that survives kills but not a loss of power, since it is only killed. */
    private TrestleProcess fast() {
        return TrestleProcess.start("--data", folder.toString(), "--durability", "buffered");
    }

    private static void assertEmpty(QueueConnection queue) throws IOException {
        assertThat(queue.count()).isZero();
        assertThat(queue.peek()).isEmpty();
        assertThat(queue.take(32, 1)).isEmpty();
    }

    private void fill(TrestleProcess server) throws Exception {
        int each = MANY / CONSUMERS;
        List<Callable<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CONSUMERS; client++) {
            clients.add(() -> {
                try (QueueConnection queue = new QueueConnection(server, QUEUE)) {
                    for (int sent = 0; sent < each; sent += SENT_AT_ONCE) {
                        int first = sent;
                        queue.put(IntStream.range(first, first + SENT_AT_ONCE)
                                .mapToObj(i -> "message " + i)
                                .toList());
                    }
                }
                return null;
            });
        }
        runAll(clients);
    }

    private void runAll(List<Callable<Void>> clients) throws Exception {
        for (Future<Void> client : threads.invokeAll(clients)) {
            client.get();
        }
    }
}
