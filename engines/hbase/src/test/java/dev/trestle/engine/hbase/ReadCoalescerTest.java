package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadCoalescerTest {
    /** Requests sent so far, each with its reads and their results. */
    private final List<List<Integer>> made = new ArrayList<>();

    private final List<List<CompletableFuture<String>>> given = new ArrayList<>();

    /** Scheduled checks. */
    private final Deque<Runnable> looks = new ArrayDeque<>();

    private final ReadCoalescer<String, Integer, String> reads = new ReadCoalescer<>(this::request, looks::add);

    private List<CompletableFuture<String>> request(List<Integer> questions) {
        made.add(questions);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        questions.forEach(question -> answers.add(new CompletableFuture<>()));
        given.add(answers);
        return answers;
    }

    private void look() {
        looks.remove().run();
    }

    private List<CompletableFuture<String>> read(String server, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(question -> reads.read(server, question).toCompletableFuture())
                .toList();
    }

    private void answer(int request) {
        List<Integer> questions = made.get(request);
        for (int i = 0; i < questions.size(); i++) {
            given.get(request).get(i).complete("a" + questions.get(i));
        }
    }

    @Test
    void who_comes_alone_goes_alone_and_at_once() {
        CompletableFuture<String> read = read("one", 0, 1).get(0);
        assertThat(made).containsExactly(List.of(0));
        answer(0);
        assertThat(read).isCompletedWithValue("a0");
    }

    @Test
    void who_comes_while_two_are_under_way_goes_with_the_others_who_wait() {
        List<CompletableFuture<String>> answers = read("one", 0, 6);
        assertThat(made).containsExactly(List.of(0), List.of(1));
        answer(0);
        assertThat(made).containsExactly(List.of(0), List.of(1), List.of(2, 3, 4, 5));
        answer(2);
        answer(1);
        for (int i = 0; i < 6; i++) {
            assertThat(answers.get(i)).isCompletedWithValue("a" + i);
        }
    }

    @Test
    void a_server_that_does_not_answer_keeps_nobody_from_another() {
        read("silent", 0, 5);
        CompletableFuture<String> other = read("other", 7, 8).get(0);
        answer(2);
        assertThat(other).isCompletedWithValue("a7");
    }

    @Test
    void those_who_wait_do_not_wait_for_a_request_that_takes_long() {
        List<CompletableFuture<String>> answers = read("one", 0, 4);
        look();
        assertThat(made).as("it may still be quick").hasSize(2);
        look();
        assertThat(made.subList(2, made.size())).containsExactly(List.of(2), List.of(3));
        answer(3);
        answer(2);
        assertThat(answers.get(0)).isNotDone();
        assertThat(answers.get(2)).isCompletedWithValue("a2");
        answer(0);
        answer(1);
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    @Test
    void of_a_slow_server_fewer_rows_are_asked_together_and_of_a_quick_one_more_again() {
        read("one", 0, 102);
        answer(0);
        assertThat(made.get(2)).hasSize(100);
        look();
        read("one", 102, 400);
        look();
        assertThat(made).as("it reads one row after the other").anyMatch(request -> request.size() == 1);
        for (int i = 1; i < made.size(); i++) {
            answer(i);
        }
        assertThat(looks).as("nobody waits any more").hasSizeLessThanOrEqualTo(1);
        int before = made.size();
        read("one", 400, 700);
        for (int i = before; i < made.size(); i++) {
            answer(i);
        }
        assertThat(made.subList(before, made.size())).anyMatch(request -> request.size() == 100);
    }

    @Test
    void nobody_looks_after_those_who_do_not_wait() {
        read("one", 0, 2);
        answer(0);
        answer(1);
        assertThat(looks).isEmpty();
    }

    @Test
    void one_that_fails_fails_alone() {
        List<CompletableFuture<String>> answers = read("one", 0, 4);
        answer(0);
        given.get(2).get(0).completeExceptionally(new IllegalStateException("gone"));
        given.get(2).get(1).complete("fine");
        assertThat(answers.get(2)).isCompletedExceptionally();
        assertThat(answers.get(3)).isCompletedWithValue("fine");
    }

    @Test
    void a_request_that_cannot_be_made_fails_those_in_it_and_lets_the_next_go() {
        ReadCoalescer<String, Integer, String> broken = new ReadCoalescer<>(
                questions -> {
                    throw new IllegalStateException("closed");
                },
                looks::add);
        for (int i = 0; i < 5; i++) {
            assertThat(broken.read("one", i).toCompletableFuture()).isCompletedExceptionally();
        }
    }

    @Test
    void no_request_is_for_more_rows_than_a_hundred() {
        List<CompletableFuture<String>> answers = read("one", 0, 300);
        for (int i = 0; i < made.size(); i++) {
            answer(i);
        }
        assertThat(made).allSatisfy(request -> assertThat(request).hasSizeLessThanOrEqualTo(100));
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }
}
