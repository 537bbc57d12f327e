package dev.trestle.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class KeyedSerialExecutorTest {
    private final KeyedSerialExecutor<String> turns = new KeyedSerialExecutor<>();
    private final List<Integer> done = new ArrayList<>();

    private CompletionStage<Integer> work(int number) {
        done.add(number);
        return CompletableFuture.completedFuture(number);
    }

    @Test
    void work_on_one_thing_waits_and_work_on_another_does_not() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletionStage<String> one = turns.submit("a", () -> first);
        CompletionStage<Integer> two = turns.submit("a", () -> work(2));
        turns.submit("b", () -> work(3));
        assertThat(done).containsExactly(3);
        first.complete("one");
        assertThat(done).containsExactly(3, 2);
        assertThat(one.toCompletableFuture()).isCompletedWithValue("one");
        assertThat(two.toCompletableFuture()).isCompletedWithValue(2);
    }

    @Test
    void work_that_fails_or_throws_ends_its_turn() {
        CompletionStage<Integer> failed =
                turns.submit("a", () -> CompletableFuture.failedFuture(new IllegalStateException("failed")));
        CompletionStage<Integer> thrown = turns.submit("a", () -> {
            throw new IllegalStateException("thrown");
        });
        assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
        assertThat(thrown.toCompletableFuture()).isCompletedExceptionally();
        turns.submit("a", () -> work(1));
        assertThat(done).containsExactly(1);
    }

    @Test
    void many_may_wait_and_come_in_their_order() {
        int waiting = 20_000;
        CompletableFuture<Integer> first = new CompletableFuture<>();
        turns.submit("a", () -> first);
        List<CompletionStage<Integer>> all = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            int number = i;
            all.add(turns.submit("a", () -> work(number)));
        }
        first.complete(-1);
        assertThat(done).hasSize(waiting).isSorted();
        assertThat(all)
                .allMatch(each -> each.toCompletableFuture().isDone()
                        && !each.toCompletableFuture().isCompletedExceptionally());
    }
}
