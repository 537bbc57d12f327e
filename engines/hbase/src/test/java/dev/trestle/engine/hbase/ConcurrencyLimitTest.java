package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
    private final ConcurrencyLimit limit = new ConcurrencyLimit("reads", 2, 3, Duration.ofMinutes(1));

    /** Requests sent so far, in order. */
    private final List<CompletableFuture<Integer>> made = new ArrayList<>();

    private CompletionStage<Integer> make() {
        CompletableFuture<Integer> request = new CompletableFuture<>();
        made.add(request);
        return request;
    }

    private List<CompletableFuture<Integer>> pass(int count) {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(limit.run(this::make).toCompletableFuture());
        }
        return answers;
    }

    private static EngineException.Kind kind(CompletableFuture<?> answer) {
        return answer.handle((value, failure) -> ((EngineException) failure).kind())
                .join();
    }

    @Test
    void so_many_go_at_once_and_the_next_wait() {
        pass(4);
        assertThat(made).hasSize(2);
        assertThat(limit.inFlight()).isEqualTo(2);
        assertThat(limit.queued()).isEqualTo(2);
    }

    @Test
    void one_past_the_queue_is_refused_at_once_as_overload() {
        List<CompletableFuture<Integer>> answers = pass(6);
        assertThat(answers.subList(0, 5)).noneMatch(CompletableFuture::isDone);
        assertThat(kind(answers.get(5))).isEqualTo(EngineException.Kind.OVERLOADED);
    }

    @Test
    void an_answer_lets_the_next_go_in_the_order_they_came() {
        List<CompletableFuture<Integer>> answers = pass(5);
        for (int i = 0; i < 5; i++) {
            made.get(i).complete(i);
            assertThat(answers.get(i)).isCompletedWithValue(i);
        }
        assertThat(limit.inFlight()).isZero();
        assertThat(limit.queued()).isZero();
    }

    @Test
    void a_failure_is_an_answer_too() {
        List<CompletableFuture<Integer>> answers = pass(3);
        IllegalStateException trouble = new IllegalStateException("trouble");
        made.get(0).completeExceptionally(trouble);
        assertThat(answers.get(0)).isCompletedExceptionally();
        assertThat(answers.get(0).handle((value, failure) -> failure)).isCompletedWithValue(trouble);
        assertThat(made).hasSize(3);
    }

    @Test
    void a_request_that_cannot_be_made_is_an_answer_too() {
        CompletionStage<Integer> answer = limit.run(() -> {
            throw new IllegalStateException("trouble");
        });
        assertThat(answer).isCompletedExceptionally();
        assertThat(limit.inFlight()).isZero();
    }

    @Test
    void one_that_waits_too_long_is_told_overload_in_its_time_and_never_made() {
        ConcurrencyLimit impatient = new ConcurrencyLimit("reads", 1, 10, Duration.ofMillis(100));
        CompletableFuture<Integer> first = new CompletableFuture<>();
        impatient.run(() -> first);
        CompletableFuture<Integer> late = impatient.run(this::make).toCompletableFuture();
        assertThat(late).failsWithin(Duration.ofSeconds(30));
        assertThat(kind(late)).isEqualTo(EngineException.Kind.OVERLOADED);
        assertThat(impatient.queued()).isZero();
        first.complete(1);
        assertThat(made).isEmpty();
        assertThat(impatient.inFlight()).isZero();
    }

    @Test
    void one_that_is_never_over_is_told_overload_in_its_time_and_keeps_its_place() {
        ConcurrencyLimit impatient = new ConcurrencyLimit("reads", 1, 10, Duration.ofMillis(100));
        CompletableFuture<Integer> stuck = impatient.run(this::make).toCompletableFuture();
        assertThat(stuck).failsWithin(Duration.ofSeconds(30));
        assertThat(kind(stuck)).isEqualTo(EngineException.Kind.OVERLOADED);
        assertThat(impatient.inFlight()).isEqualTo(1);
        made.get(0).complete(1);
        assertThat(impatient.inFlight()).isZero();
    }

    @Test
    void those_that_come_when_all_before_were_late_are_answered_in_their_time_too() {
        ConcurrencyLimit impatient = new ConcurrencyLimit("reads", 1, 10, Duration.ofMillis(100));
        for (int i = 0; i < 3; i++) {
            assertThat(impatient.run(this::make).toCompletableFuture()).failsWithin(Duration.ofSeconds(30));
        }
        assertThat(made).hasSize(1);
    }

    @Test
    void any_number_that_is_answered_at_once_passes() {
        ConcurrencyLimit deep = new ConcurrencyLimit("reads", 1, 100_000, Duration.ofMinutes(1));
        CompletableFuture<Integer> first = new CompletableFuture<>();
        deep.run(() -> first);
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            answers.add(deep.run(() -> CompletableFuture.completedFuture(1)).toCompletableFuture());
        }
        first.complete(1);
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(deep.inFlight()).isZero();
    }
}
