package dev.trestle.async;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OptimisticRetryTest {
    private static final int IMMEDIATE_RETRIES = 3;
    private static final Duration LONGEST = Duration.ofMillis(100);

    private final List<Duration> delays = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();

    private OptimisticRetry retry(RandomGenerator random) {
        return new OptimisticRetry(random, delay -> {
            delays.add(delay);
            return CompletableFuture.completedFuture(null);
        });
    }

    private final OptimisticRetry retry = retry(new Random(7));

    private Supplier<CompletionStage<Optional<String>>> succeedsAt(int last) {
        return () -> CompletableFuture.completedFuture(
                attempts.incrementAndGet() == last ? Optional.of("done") : Optional.empty());
    }

    private static Throwable failure(CompletionStage<?> stage) {
        return stage.handle((value, failure) -> StageFailures.cause(failure))
                .toCompletableFuture()
                .join();
    }

    /** Draws the least or the greatest value there is. */
    private record Extreme(boolean greatest) implements RandomGenerator {
        @Override
        public long nextLong() {
            return greatest ? Long.MAX_VALUE : 0;
        }

        @Override
        public long nextLong(long bound) {
            return greatest ? bound - 1 : 0;
        }
    }

    @Test
    void the_first_success_is_the_result() {
        assertThat(retry.run("Testing", succeedsAt(1)).toCompletableFuture()).isCompletedWithValue("done");
        assertThat(attempts).hasValue(1);
        assertThat(delays).isEmpty();
    }

    @Test
    void the_first_retries_are_immediate_and_the_others_wait() {
        assertThat(retry.run("Testing", succeedsAt(IMMEDIATE_RETRIES + 3)).toCompletableFuture())
                .isCompletedWithValue("done");
        assertThat(delays).hasSize(2);
    }

    @Test
    void delays_are_drawn_from_zero_up_to_a_bound_that_doubles_until_the_longest() {
        retry(new Extreme(true)).run("Testing", succeedsAt(IMMEDIATE_RETRIES + 11));
        assertThat(delays)
                .extracting(Duration::toMillis)
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 100L, 100L, 100L);
        delays.clear();
        attempts.set(0);
        retry(new Extreme(false)).run("Testing", succeedsAt(IMMEDIATE_RETRIES + 11));
        assertThat(delays).hasSize(10).containsOnly(Duration.ofNanos(1));
        delays.clear();
        attempts.set(0);
        retry.run("Testing", succeedsAt(200));
        assertThat(delays).allSatisfy(delay -> assertThat(delay).isPositive().isLessThanOrEqualTo(LONGEST));
        assertThat(delays).doesNotHaveDuplicates();
    }

    @Test
    void after_the_last_attempt_the_server_is_busy_with_the_operation() {
        Throwable failure = failure(retry.withLimits(20, LONGEST).run("Changing a test", succeedsAt(21)));
        assertThat(attempts).hasValue(20);
        assertThat(failure)
                .isInstanceOfSatisfying(
                        StorageException.class, busy -> assertThat(busy.error()).isEqualTo(StorageError.SERVER_BUSY))
                .hasMessageStartingWith(StorageError.SERVER_BUSY.message())
                .hasMessageEndingWith(" Changing a test conflicted with concurrent requests 20 times.");
    }

    @Test
    void the_default_bound_is_reached_too() {
        assertThat(failure(retry.run("Testing", succeedsAt(Integer.MAX_VALUE)))).isInstanceOf(StorageException.class);
        assertThat(attempts).hasValue(250);
    }

    @Test
    void an_operation_may_have_a_result_of_its_own_after_the_last_attempt() {
        assertThat(retry.withLimits(2, LONGEST)
                        .run(succeedsAt(3), () -> CompletableFuture.completedFuture("nothing"), Runnable::run)
                        .toCompletableFuture())
                .isCompletedWithValue("nothing");
    }

    @Test
    void failures_are_not_retried() {
        IllegalStateException failure = new IllegalStateException("on purpose");
        assertThat(failure(retry.run("Testing", () -> {
                    attempts.incrementAndGet();
                    return CompletableFuture.failedFuture(failure);
                })))
                .isSameAs(failure);
        CompletionStage<Void> thrown = retry.runUntilTrue("Testing", () -> {
            attempts.incrementAndGet();
            throw failure;
        });
        assertThat(failure(thrown)).isSameAs(failure);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void an_operation_without_a_result_runs_until_it_is_true() {
        CompletionStage<Void> done =
                retry.runUntilTrue("Testing", () -> CompletableFuture.completedFuture(attempts.incrementAndGet() == 3));
        assertThat(done.toCompletableFuture()).isCompleted();
        assertThat(attempts).hasValue(3);
    }

    @Test
    void attempts_that_waited_run_on_the_executor() {
        List<Runnable> queued = new ArrayList<>();
        CompletableFuture<String> result = retry.run(
                        succeedsAt(IMMEDIATE_RETRIES + 2), () -> CompletableFuture.completedFuture("no"), queued::add)
                .toCompletableFuture();
        assertThat(attempts).hasValue(IMMEDIATE_RETRIES + 1);
        assertThat(queued).hasSize(1);
        queued.get(0).run();
        assertThat(result).isCompletedWithValue("done");
    }

    @Test
    void the_shared_timer_is_the_default() {
        assertThat(new OptimisticRetry(new Random(7))
                        .run("Testing", succeedsAt(IMMEDIATE_RETRIES + 4))
                        .toCompletableFuture()
                        .join())
                .isEqualTo("done");
    }
}
