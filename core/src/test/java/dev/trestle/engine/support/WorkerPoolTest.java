package dev.trestle.engine.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.EngineException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
    private static WorkerPool workers() {
        return new WorkerPool(
                "test", 1, 1, failure -> new EngineException(EngineException.Kind.UNAVAILABLE, "It failed.", failure));
    }

    @Test
    void work_past_the_queue_is_refused_as_overload() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (WorkerPool workers = workers()) {
            CompletableFuture<Integer> running = workers.submit(() -> {
                        started.countDown();
                        goOn.await();
                        return 1;
                    })
                    .toCompletableFuture();
            started.await();
            CompletableFuture<Integer> queued = workers.submit(() -> 2).toCompletableFuture();
            CompletableFuture<Integer> refused = workers.submit(() -> 3).toCompletableFuture();
            assertThat(kind(refused)).isEqualTo(EngineException.Kind.OVERLOADED);
            goOn.countDown();
            assertThat(running.get()).isEqualTo(1);
            assertThat(queued.get()).isEqualTo(2);
        }
    }

    @Test
    void an_error_in_the_work_is_an_answer_too() {
        try (WorkerPool workers = workers()) {
            CompletableFuture<Integer> failed = workers.<Integer>submit(() -> {
                        throw new StackOverflowError();
                    })
                    .toCompletableFuture();
            assertThat(kind(failed)).isEqualTo(EngineException.Kind.UNAVAILABLE);
        }
    }

    @Test
    void after_close_work_is_refused_as_unavailable() {
        WorkerPool workers = workers();
        workers.close();
        assertThat(kind(workers.submit(() -> 1).toCompletableFuture())).isEqualTo(EngineException.Kind.UNAVAILABLE);
    }

    private static EngineException.Kind kind(CompletableFuture<?> stage) {
        return stage.handle((value, failure) -> ((EngineException) failure).kind())
                .join();
    }
}
