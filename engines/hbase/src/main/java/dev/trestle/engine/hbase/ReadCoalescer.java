package dev.trestle.engine.hbase;

import dev.trestle.engine.support.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads that are asked of the same server while it has not answered earlier ones wait for these, and then go in one request:
 * a request costs both sides more than the row it is for. Those who come alone never wait. For any thread.
 *
 * <p>A server reads the rows of a request one after the other, and a row of a range that is nowhere open keeps a request
 * waiting for seconds. So nobody waits for a request that takes long, and after one there are fewer rows in a request and as
 * many more requests at once, until rows come quickly again.
 *
 * @param <S> a server
 * @param <Q> what is asked for
 * @param <A> what is answered
 */
final class ReadCoalescer<S, Q, A> {
    private static final int ROWS_MAX = 100;
    private static final int ROWS_AT_ONCE = 2 * ROWS_MAX;
    private static final Duration LOOK_DELAY = Duration.ofMillis(50);

    private final Function<List<Q>, List<CompletableFuture<A>>> requests;
    private final Executor later;
    private final Map<S, Lane> lanes = new HashMap<>();

    private record Waiting<Q, A>(Q question, CompletableFuture<A> answer) {}

    private static final class Request<Q, A> {
        final List<Waiting<Q, A>> reads = new ArrayList<>();
        boolean seen;
    }

    /** What one server has to do; there while it has. */
    private final class Lane {
        final S server;
        final Deque<Waiting<Q, A>> waiting = new ArrayDeque<>();
        final Set<Request<Q, A>> awaited = new HashSet<>();
        int rowsMax = ROWS_MAX;
        boolean watched;

        Lane(S server) {
            this.server = server;
        }
    }

    /** @param requests sends some questions together and gives the answer to each, in their order */
    ReadCoalescer(Function<List<Q>, List<CompletableFuture<A>>> requests) {
        this(requests, look -> Timer.after(LOOK_DELAY).thenRun(look));
    }

    /** @param later runs what it is given after a time that an answer should not take */
    ReadCoalescer(Function<List<Q>, List<CompletableFuture<A>>> requests, Executor later) {
        this.requests = requests;
        this.later = later;
    }

    CompletionStage<A> read(S server, Q question) {
        Waiting<Q, A> read = new Waiting<>(question, new CompletableFuture<>());
        Lane lane;
        synchronized (this) {
            lane = lanes.computeIfAbsent(server, Lane::new);
            lane.waiting.add(read);
        }
        sendWaiting(lane);
        return read.answer;
    }

    private void sendWaiting(Lane lane) {
        for (Request<Q, A> request = next(lane); request != null; request = next(lane)) {
            send(lane, request);
        }
    }

    /** What may go now, or null. */
    private synchronized @Nullable Request<Q, A> next(Lane lane) {
        if (lane.waiting.isEmpty()) {
            if (lane.awaited.isEmpty()) {
                lanes.remove(lane.server, lane);
            }
            return null;
        }
        if (lane.awaited.size() >= ROWS_AT_ONCE / lane.rowsMax) {
            if (!lane.watched) {
                lane.watched = true;
                later.execute(() -> look(lane));
            }
            return null;
        }
        Request<Q, A> request = new Request<>();
        while (!lane.waiting.isEmpty() && request.reads.size() < lane.rowsMax) {
            request.reads.add(lane.waiting.remove());
        }
        lane.awaited.add(request);
        return request;
    }

    /** Gives up waiting for what was there at the last look already. */
    private void look(Lane lane) {
        synchronized (this) {
            lane.watched = false;
            for (Iterator<Request<Q, A>> awaited = lane.awaited.iterator(); awaited.hasNext(); ) {
                Request<Q, A> request = awaited.next();
                if (request.seen) {
                    awaited.remove();
                    lane.rowsMax = Math.max(1, Math.min(lane.rowsMax, request.reads.size()) / 2);
                }
                request.seen = true;
            }
        }
        sendWaiting(lane);
    }

    private void send(Lane lane, Request<Q, A> request) {
        List<Waiting<Q, A>> reads = request.reads;
        List<CompletableFuture<A>> answers;
        try {
            answers = requests.apply(reads.stream().map(Waiting::question).toList());
        } catch (RuntimeException e) {
            reads.forEach(read -> read.answer.completeExceptionally(e));
            done(lane, request);
            return;
        }
        // The next go first, so that the server has something to do while these are looked at.
        CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .minimalCompletionStage()
                .whenComplete((done, failure) -> done(lane, request));
        for (int i = 0; i < reads.size(); i++) {
            CompletableFuture<A> answer = reads.get(i).answer;
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

    private void done(Lane lane, Request<Q, A> request) {
        synchronized (this) {
            lane.awaited.remove(request);
            if (!request.seen && request.reads.size() >= lane.rowsMax) {
                lane.rowsMax = Math.min(ROWS_MAX, 2 * lane.rowsMax);
            }
        }
        sendWaiting(lane);
    }
}
