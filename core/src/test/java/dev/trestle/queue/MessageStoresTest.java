package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelEngine;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MessageStoresTest {
    private static final long FIRST = 0x0101_0101_0101_0101L;
    private static final int MORE_THAN_ARE_KEPT = 10_002;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:00:00Z"));
    private final MessageStores stores = new MessageStores(
            new ModelEngine(clock), new MonotonicTicks(clock), new Random(7), new OptimisticRetry(new Random(8)));

    private MessageStore store(long collection) {
        return stores.use(collection, CompletableFuture::completedFuture)
                .toCompletableFuture()
                .join();
    }

    private void useMany() {
        for (int i = 2; i < MORE_THAN_ARE_KEPT; i++) {
            store(FIRST + i);
        }
    }

    @Test
    void a_store_is_kept_while_anybody_works_on_it_and_some_time_longer() {
        MessageStore busy = store(FIRST);
        MessageStore idle = store(FIRST + 1);
        assertThat(store(FIRST + 1)).isSameAs(idle);
        CompletableFuture<Void> work = new CompletableFuture<>();
        stores.use(FIRST, store -> work);
        useMany();
        store(FIRST - 1);
        assertThat(store(FIRST)).isSameAs(busy);
        assertThat(store(FIRST + 1)).isNotSameAs(idle);

        work.complete(null);
        useMany();
        store(FIRST - 1);
        assertThat(store(FIRST)).isNotSameAs(busy);
    }
}
