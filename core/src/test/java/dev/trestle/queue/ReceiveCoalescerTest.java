package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.engine.EngineException;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.Ticks;
import dev.trestle.testkit.FaultyEngine;
import dev.trestle.testkit.FaultyEngine.Call;
import dev.trestle.testkit.ManualClock;
import dev.trestle.testkit.ModelEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Concurrent receivers on an engine that is slow or fails. */
class ReceiveCoalescerTest {
    private static final long WEEK = 7 * Ticks.PER_DAY;
    private static final long HIDDEN = 30 * Ticks.PER_SECOND;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-02T10:00:00Z"));
    private final FaultyEngine engine = new FaultyEngine(new ModelEngine(clock));
    private final MessageStore store = new MessageStore(
            engine,
            0x0102_0304_0506_0708L,
            new MonotonicTicks(clock),
            new Random(7),
            new OptimisticRetry(new Random(8)),
            System::nanoTime);

    private CompletableFuture<Message> put(String text) {
        return store.put(text, 0, WEEK).toCompletableFuture();
    }

    private void putMany(int messages) {
        IntStream.range(0, messages).forEach(i -> put("m" + i).join());
    }

    private CompletableFuture<List<String>> take(int messages) {
        return store.take(messages, HIDDEN, Runnable::run)
                .thenApply(taken -> taken.stream().map(Message::text).toList())
                .toCompletableFuture();
    }

    private void waitUntilSeenAgain() {
        clock.move(Duration.ofSeconds(31));
    }

    @Test
    void those_who_wait_share_what_there_is_in_the_order_they_came() {
        putMany(5);
        Runnable answer = engine.delayNext(Call.SCAN);
        CompletableFuture<List<String>> first = take(1);
        CompletableFuture<List<String>> second = take(2);
        CompletableFuture<List<String>> third = take(3);
        assertThat(List.of(first, second, third)).noneMatch(CompletableFuture::isDone);
        answer.run();
        assertThat(first).isCompletedWithValue(List.of("m0"));
        assertThat(second).isCompletedWithValue(List.of("m1", "m2"));
        assertThat(third).isCompletedWithValue(List.of("m3", "m4"));
    }

    @Test
    void more_than_a_commit_can_move_is_taken_in_several() {
        putMany(130);
        Runnable answer = engine.delayNext(Call.SCAN);
        List<CompletableFuture<List<String>>> takers = new ArrayList<>();
        IntStream.range(0, 6).forEach(i -> takers.add(take(i == 0 ? 2 : 32)));
        answer.run();
        List<String> all =
                takers.stream().flatMap(taker -> taker.join().stream()).toList();
        assertThat(all)
                .containsExactlyElementsOf(
                        IntStream.range(0, 130).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void those_whom_the_engine_fails_are_told_and_the_next_are_served() {
        putMany(2);
        Runnable answer = engine.delayNext(Call.SCAN);
        engine.failNext(Call.SCAN, EngineException.Kind.UNAVAILABLE);
        CompletableFuture<List<String>> served = take(1);
        CompletableFuture<List<String>> failed = take(1);
        CompletableFuture<List<String>> failedWithIt = take(1);
        answer.run();
        assertThat(served).isCompletedWithValue(List.of("m0"));
        assertThat(failed).isCompletedExceptionally();
        assertThat(failedWithIt).isCompletedExceptionally();
        assertThat(take(1)).isCompletedWithValue(List.of("m1"));
    }

    @Test
    void what_was_not_taken_because_the_engine_failed_is_there_for_the_next() {
        putMany(1);
        engine.failNext(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        assertThat(take(1)).isCompletedExceptionally();
        assertThat(take(1)).isCompletedWithValue(List.of("m0"));
    }

    @Test
    void what_was_taken_by_one_who_was_not_told_is_seen_again_in_its_time() {
        putMany(1);
        engine.loseNextAnswer(Call.COMMIT, EngineException.Kind.UNAVAILABLE);
        assertThat(take(1)).isCompletedExceptionally();
        assertThat(take(1)).isCompletedWithValue(List.of());
        waitUntilSeenAgain();
        assertThat(take(1)).isCompletedWithValue(List.of("m0"));
    }

    @Test
    void who_finds_a_message_removed_under_their_hands_takes_the_next() {
        Message gone = put("gone").join();
        put("there").join();
        Runnable move = engine.delayNext(Call.COMMIT);
        CompletableFuture<List<String>> taken = take(1);
        assertThat(store.remove(gone.id(), gone.receipt()).toCompletableFuture())
                .isCompletedWithValue(true);
        move.run();
        assertThat(taken).isCompletedWithValue(List.of("there"));
    }

    @Test
    void a_message_that_is_written_while_others_look_past_it_is_not_overlooked() {
        Runnable write = engine.delayNext(Call.COMMIT);
        CompletableFuture<Message> late = put("late");
        put("early").join();
        assertThat(take(32)).isCompletedWithValue(List.of("early"));
        assertThat(take(32)).isCompletedWithValue(List.of());
        write.run();
        assertThat(late).isCompleted();
        assertThat(take(32)).isCompletedWithValue(List.of("late"));
        waitUntilSeenAgain();
        assertThat(take(32)).isCompletedWithValue(List.of("early", "late"));
    }

    @Test
    void who_leaves_some_of_what_was_found_leaves_it_for_the_next() {
        putMany(3);
        assertThat(take(1)).isCompletedWithValue(List.of("m0"));
        assertThat(take(1)).isCompletedWithValue(List.of("m1"));
        waitUntilSeenAgain();
        assertThat(take(3)).isCompletedWithValue(List.of("m2", "m0", "m1"));
    }

    @Test
    void ids_are_random_in_the_way_of_version_four() {
        for (int i = 0; i < 50; i++) {
            Message message = put("x").join();
            assertThat(message.id().version()).isEqualTo(4);
            assertThat(message.id().variant()).isEqualTo(2);
        }
    }
}
