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
 * Coalesces concurrent reads of a server. Reads that arrive while earlier ones are in flight wait for them and
 * then share one request, because a request costs both sides more than its row. A single read never waits.
 * Thread-safe.
 *
 * <p>A server reads the rows of a request sequentially, and a row of a region in transition delays the whole
 * request for seconds. So reads stop waiting for a slow request. After one, requests have fewer rows, and more of
 * them are in flight, until responses are fast again.
 *
 * @param <S> a server
 * @param <Q> a read
 * @param <A> a result
 */
final class ReadCoalescer<S, Q, A> {
    private static final int ROWS_MAX = 100;
    private static final int ROWS_IN_FLIGHT = 2 * ROWS_MAX;
    private static final Duration CHECK_DELAY = Duration.ofMillis(50);

    private final Function<List<Q>, List<CompletableFuture<A>>> requests;
    private final Executor later;
    private final Map<S, Lane> lanes = new HashMap<>();

    private record Waiting<Q, A>(Q read, CompletableFuture<A> result) {}

    private static final class Request<Q, A> {
        final List<Waiting<Q, A>> reads = new ArrayList<>();
        boolean seen;
    }

    /** The reads of one server; exists while there are any. */
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

    /** @param requests sends reads in one request and returns their results in the same order */
    ReadCoalescer(Function<List<Q>, List<CompletableFuture<A>>> requests) {
        this(requests, check -> Timer.after(CHECK_DELAY).thenRun(check));
    }

    /** @param later runs a task after a delay that a response should not exceed */
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
        return read.result;
    }

    private void sendWaiting(Lane lane) {
        for (Request<Q, A> request = next(lane); request != null; request = next(lane)) {
            send(lane, request);
        }
    }

    /** Returns the next request to send, or null. */
    private synchronized @Nullable Request<Q, A> next(Lane lane) {
        if (lane.waiting.isEmpty()) {
            if (lane.awaited.isEmpty()) {
                lanes.remove(lane.server, lane);
            }
            return null;
        }
        if (lane.awaited.size() >= ROWS_IN_FLIGHT / lane.rowsMax) {
            if (!lane.watched) {
                lane.watched = true;
                later.execute(() -> check(lane));
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

    /** Stops waiting for requests that were in flight at the previous check. */
    private void check(Lane lane) {
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
        List<CompletableFuture<A>> results;
        try {
            results = requests.apply(reads.stream().map(Waiting::read).toList());
        } catch (RuntimeException e) {
            reads.forEach(read -> read.result.completeExceptionally(e));
            done(lane, request);
            return;
        }
        // The next request goes first, so that the server works while these results are processed.
        CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new))
                .minimalCompletionStage()
                .whenComplete((done, failure) -> done(lane, request));
        for (int i = 0; i < reads.size(); i++) {
            CompletableFuture<A> result = reads.get(i).result;
            results.get(i).minimalCompletionStage().whenComplete((value, failure) -> complete(result, value, failure));
        }
    }

    private static <A> void complete(CompletableFuture<A> result, A value, @Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
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
