package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MessageStoreCacheTest {
    private static final long FIRST = 0x0101_0101_0101_0101L;
    private static final int IDLE_MAX = 100;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:00:00Z"));
    private final ModelEngine engine = new ModelEngine(clock);
    private final OptimisticRetry retry = new OptimisticRetry(new Random(8));
    private final MonotonicTicks ticks = new MonotonicTicks(clock);

    private MessageStoreCache stores(int idleMax) {
        return new MessageStoreCache(
                idleMax, id -> new MessageStore(engine, id, ticks, new Random(7), retry, System::nanoTime));
    }

    private static MessageStore store(MessageStoreCache stores, long collection) {
        return stores.use(collection, CompletableFuture::completedFuture)
                .toCompletableFuture()
                .join();
    }

    @Test
    void a_store_in_use_is_never_evicted() {
        MessageStoreCache stores = stores(0);
        MessageStore busy = store(stores, FIRST);
        assertThat(store(stores, FIRST)).as("idle stores are evicted").isNotSameAs(busy);

        CompletableFuture<Void> first = new CompletableFuture<>();
        CompletableFuture<Void> second = new CompletableFuture<>();
        stores.use(FIRST, store -> first);
        busy = store(stores, FIRST);
        stores.use(FIRST, store -> second);
        for (int i = 1; i < 1000; i++) {
            store(stores, FIRST + i);
        }
        assertThat(store(stores, FIRST)).isSameAs(busy);
        first.complete(null);
        assertThat(store(stores, FIRST)).as("another one uses it").isSameAs(busy);
        second.completeExceptionally(new IllegalStateException("on purpose"));
        assertThat(store(stores, FIRST)).isNotSameAs(busy);
    }

    @Test
    void idle_stores_are_kept_up_to_a_number() {
        MessageStoreCache stores = stores(IDLE_MAX);
        List<MessageStore> before = new ArrayList<>();
        for (int i = 0; i < IDLE_MAX; i++) {
            before.add(store(stores, FIRST + i));
        }
        for (int i = 0; i < IDLE_MAX; i++) {
            assertThat(store(stores, FIRST + i)).isSameAs(before.get(i));
        }
        for (int i = IDLE_MAX; i < 10 * IDLE_MAX; i++) {
            before.add(store(stores, FIRST + i));
        }
        assertThat(stores.idle()).isEqualTo(IDLE_MAX);
    }
}
