package dev.trestle.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class AsyncLoopTest {
    private static CompletionStage<Optional<Integer>> countTo(int end, int from) {
        return CompletableFuture.completedFuture(from < end ? Optional.of(from + 1) : Optional.empty());
    }

    @Test
    void steps_that_are_done_at_once_do_not_fill_the_stack() {
        assertThat(AsyncLoop.from(0, from -> countTo(1_000_000, from)).toCompletableFuture())
                .isCompleted();
    }

    @Test
    void steps_that_take_time_follow_each_other() {
        CompletableFuture<Optional<Integer>> first = new CompletableFuture<>();
        CompletableFuture<Void> done =
                AsyncLoop.from(0, from -> from == 0 ? first : countTo(3, from)).toCompletableFuture();
        assertThat(done).isNotDone();
        first.complete(Optional.of(1));
        assertThat(done).isCompleted();
    }

    @Test
    void a_step_that_fails_is_the_last() {
        IllegalStateException failure = new IllegalStateException("on purpose");
        assertThat(AsyncLoop.from(0, from -> CompletableFuture.failedFuture(failure))
                        .toCompletableFuture())
                .isCompletedExceptionally();
        CompletableFuture<Optional<Integer>> later = new CompletableFuture<>();
        CompletableFuture<Void> done = AsyncLoop.from(0, from -> later).toCompletableFuture();
        later.completeExceptionally(failure);
        assertThat(done).isCompletedExceptionally();
        assertThat(AsyncLoop.from(0, from -> {
                            throw failure;
                        })
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }
}
