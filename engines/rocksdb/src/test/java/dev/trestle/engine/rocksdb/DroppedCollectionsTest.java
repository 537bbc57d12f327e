package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.Service;
import dev.trestle.engine.Figure;
import dev.trestle.model.QueueName;
import dev.trestle.queue.QueueService;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** What is held in memory of queues that were cleared many thousands of times. */
class DroppedCollectionsTest {
    private static final String ACCOUNT = "account";
    private static final InstantSource CLOCK = InstantSource.system();
    private static final int CLEARS = 20_000;

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static RocksEngine open() {
        return RocksEngine.open(RocksEngineConfig.inMemory().withMemoryBytes(32 << 20), CLOCK);
    }

    private static double dropped(RocksEngine engine) {
        return engine.telemetry().figures().stream()
                .filter(figure -> figure.name().equals("engine.collections.dropped"))
                .map(Figure::value)
                .findFirst()
                .orElseThrow()
                .getAsDouble();
    }

    /** What is reclaimed after its request has ended is gone soon. */
    private static void awaitZero(DoubleSupplier held) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (held.getAsDouble() > 0) {
            assertThat(System.nanoTime() - deadline)
                    .as("%s are held", held.getAsDouble())
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void clearing_queues_under_their_writers_for_long_leaves_nothing_in_memory() throws Exception {
        QueueName name = new QueueName("jobs");
        try (RocksEngine engine = open()) {
            Catalogue catalogue = new Catalogue(Service.QUEUE, engine, CLOCK, new Random(7));
            QueueService queues = new QueueService(engine, catalogue, CLOCK, new Random(8));
            await(queues.create(ACCOUNT, name, Map.of()));
            List<CompletableFuture<?>> puts = new ArrayList<>();
            for (int i = 0; i < CLEARS; i++) {
                if (i % 100 == 0) {
                    puts.add(queues.put(ACCOUNT, name, "text", 0, Integer.MAX_VALUE)
                            .toCompletableFuture());
                }
                await(queues.clear(ACCOUNT, name));
            }
            for (CompletableFuture<?> put : puts) {
                await(put);
            }
            await(queues.clear(ACCOUNT, name));
            assertThat(await(queues.peek(ACCOUNT, name, 32))).isEmpty();
            awaitZero(() -> dropped(engine));
        }
    }
}
