package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.conformance.QueueConnection.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class RacingConsumersIT {
    private static final int CONSUMERS = 64;
    private static final int EACH = 10;

    private final ExecutorService threads = Executors.newFixedThreadPool(CONSUMERS);
    private final TrestleProcess server;
    private final String queue = SharedServer.newQueueName();

    RacingConsumersIT(TrestleProcess server) {
        this.server = server;
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void sixty_four_consumers_of_one_queue_take_their_share_and_nothing_twice() throws Exception {
        try (QueueConnection messages = new QueueConnection(server, queue)) {
            assertThat(messages.create()).isEqualTo(201);
            List<Shown> put = messages.put(IntStream.range(0, CONSUMERS * EACH)
                    .mapToObj(i -> "job " + i)
                    .toList());
            CyclicBarrier together = new CyclicBarrier(CONSUMERS);
            List<Callable<List<String>>> consumers = new ArrayList<>();
            for (int i = 0; i < CONSUMERS; i++) {
                consumers.add(() -> consume(together));
            }
            List<String> done = new ArrayList<>();
            for (Future<List<String>> consumer : threads.invokeAll(consumers)) {
                done.addAll(consumer.get());
            }
            assertThat(done)
                    .containsExactlyInAnyOrderElementsOf(
                            put.stream().map(Shown::id).toList());
            assertThat(messages.count()).isZero();
        }
    }

    /** Takes messages one by one, as many as there are for each, and deletes them. */
    private List<String> consume(CyclicBarrier together) throws Exception {
        List<String> done = new ArrayList<>();
        try (QueueConnection messages = new QueueConnection(server, queue)) {
            together.await();
            while (done.size() < EACH) {
                // Never empty: each consumer that is not done has a message left.
                List<Shown> taken = messages.take(1, QueueLedger.HIDDEN_SECONDS);
                assertThat(taken).hasSize(1);
                assertThat(messages.remove(taken.get(0).id(), taken.get(0).receipt()))
                        .isEqualTo(204);
                done.add(taken.get(0).id());
            }
        }
        return done;
    }
}
