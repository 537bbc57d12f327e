package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Engine;
import dev.trestle.model.QueueName;
import dev.trestle.model.Ticks;
import dev.trestle.queue.Message;
import dev.trestle.queue.QueueService;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One queue that two servers serve, each of which caches entries of the catalogue for minutes. */
class SharedQueueIT {
    private static final String ACCOUNT = "acct1";
    private static final QueueName JOBS = new QueueName("jobs");
    private static final Duration TRUST = Duration.ofMinutes(5);
    private static final long HIDDEN = 3600 * Ticks.PER_SECOND;

    private final List<Engine> engines = new ArrayList<>();
    private QueueService first;
    private QueueService second;

    @BeforeEach
    void open() throws Exception {
        TestCluster.Fresh rows = new TestCluster.Fresh();
        first = service(rows.open(InstantSource.system()));
        second = service(rows.open(InstantSource.system()));
        await(first.create(ACCOUNT, JOBS, Map.of()));
    }

    private QueueService service(Engine engine) {
        engines.add(engine);
        SecureRandom random = new SecureRandom();
        return new QueueService(
                engine,
                new Catalogue(Service.QUEUE, engine, InstantSource.system(), random, TRUST),
                InstantSource.system(),
                random);
    }

    @AfterEach
    void close() {
        engines.forEach(Engine::close);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void put(QueueService queues, String text) throws Exception {
        await(queues.put(ACCOUNT, JOBS, text, 0, Ticks.PER_DAY));
    }

    private static List<Message> take(QueueService queues, int messages) throws Exception {
        return await(queues.take(ACCOUNT, JOBS, messages, HIDDEN, Runnable::run));
    }

    private static List<String> texts(List<Message> messages) {
        return messages.stream().map(Message::text).toList();
    }

    @Test
    void what_is_put_through_one_is_taken_through_the_other() throws Exception {
        put(first, "a");
        put(second, "b");
        put(first, "c");
        assertThat(texts(take(second, 2))).containsExactly("a", "b");
        assertThat(texts(take(first, 2))).containsExactly("c");
        assertThat(take(second, 1)).isEmpty();
    }

    @Test
    void a_queue_cleared_through_one_is_the_new_one_to_the_other_at_once() throws Exception {
        put(second, "old");
        await(first.clear(ACCOUNT, JOBS));
        put(second, "new");
        assertThat(texts(take(first, 32))).containsExactly("new");
        await(first.clear(ACCOUNT, JOBS));
        put(first, "newer");
        assertThat(texts(take(second, 32))).containsExactly("newer");
    }

    @Test
    void a_queue_deleted_and_made_again_through_one_loses_nothing_that_is_put_through_the_other() throws Exception {
        put(second, "old");
        await(first.delete(ACCOUNT, JOBS));
        await(first.create(ACCOUNT, JOBS, Map.of()));
        put(second, "new");
        assertThat(texts(take(first, 32))).containsExactly("new");
    }

    @Test
    void consumers_of_both_share_what_producers_of_both_put_and_none_takes_what_another_has() throws Exception {
        int producers = 4;
        int consumers = 12;
        int each = 100;
        ExecutorService threads = Executors.newFixedThreadPool(producers + consumers);
        Set<UUID> taken = ConcurrentHashMap.newKeySet();
        AtomicInteger left = new AtomicInteger(producers * each);
        try {
            List<Future<Void>> work = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                QueueService queues = i % 2 == 0 ? first : second;
                work.add(threads.submit((Callable<Void>) () -> {
                    for (int j = 0; j < each; j++) {
                        put(queues, "m");
                    }
                    return null;
                }));
            }
            for (int i = 0; i < consumers; i++) {
                QueueService queues = i % 2 == 0 ? first : second;
                int atOnce = 1 + i % 5;
                work.add(threads.submit((Callable<Void>) () -> {
                    try {
                        while (left.get() > 0) {
                            for (Message message : take(queues, atOnce)) {
                                assertThat(taken.add(message.id())).isTrue();
                                await(queues.remove(ACCOUNT, JOBS, message.id(), message.receipt()));
                                left.decrementAndGet();
                            }
                        }
                    } finally {
                        // The other threads would wait forever for the messages of a failed one.
                        left.set(0);
                    }
                    return null;
                }));
            }
            for (Future<Void> done : work) {
                done.get(120, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(taken).hasSize(producers * each);
    }
}
