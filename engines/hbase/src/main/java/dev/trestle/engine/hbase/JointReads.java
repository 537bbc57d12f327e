package dev.trestle.engine.hbase;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads that are asked of the same server while it has not answered earlier ones wait for these, and then go in one request:
 * a request costs both sides more than the row it is for. Those who come alone never wait. For any thread.
 *
 * @param <S> a server
 * @param <Q> what is asked for
 * @param <A> what is answered
 */
final class JointReads<S, Q, A> {
    private static final int REQUESTS_AT_ONCE = 2;
    private static final int ROWS_MAX = 100;

    private final Function<List<Q>, List<CompletableFuture<A>>> requests;
    private final Map<S, Lane> lanes = new HashMap<>();

    private record Waiting<Q, A>(Q question, CompletableFuture<A> answer) {}

    /** What one server has to do; there while it has. */
    private final class Lane {
        final Deque<Waiting<Q, A>> waiting = new ArrayDeque<>();
        int underWay;
    }

    /** @param requests sends some questions together and gives the answer to each, in their order */
    JointReads(Function<List<Q>, List<CompletableFuture<A>>> requests) {
        this.requests = requests;
    }

    CompletionStage<A> read(S server, Q question) {
        Waiting<Q, A> read = new Waiting<>(question, new CompletableFuture<>());
        synchronized (this) {
            Lane lane = lanes.computeIfAbsent(server, first -> new Lane());
            if (lane.underWay == REQUESTS_AT_ONCE) {
                lane.waiting.add(read);
                return read.answer;
            }
            lane.underWay++;
        }
        send(server, List.of(read));
        return read.answer;
    }

    private void send(S server, List<Waiting<Q, A>> group) {
        List<CompletableFuture<A>> answers;
        try {
            answers = requests.apply(group.stream().map(Waiting::question).toList());
        } catch (RuntimeException e) {
            group.forEach(read -> read.answer.completeExceptionally(e));
            next(server);
            return;
        }
        // The next go first, so that the server has something to do while these are looked at.
        CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .minimalCompletionStage()
                .whenComplete((done, failure) -> next(server));
        for (int i = 0; i < group.size(); i++) {
            CompletableFuture<A> answer = group.get(i).answer;
            answers.get(i).minimalCompletionStage().whenComplete((value, failure) -> complete(answer, value, failure));
        }
    }

    private static <A> void complete(CompletableFuture<A> answer, A value, @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    private void next(S server) {
        List<Waiting<Q, A>> group = new ArrayList<>();
        synchronized (this) {
            Lane lane = lanes.get(server);
            if (lane == null) {
                return;
            }
            while (!lane.waiting.isEmpty() && group.size() < ROWS_MAX) {
                group.add(lane.waiting.remove());
            }
            if (group.isEmpty()) {
                if (--lane.underWay == 0) {
                    lanes.remove(server);
                }
                return;
            }
        }
        send(server, group);
    }
}
