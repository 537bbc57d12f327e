package dev.trestle.engine.hbase;

import dev.trestle.engine.support.StageFailures;
import dev.trestle.engine.support.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests in flight to the cluster, with a bounded FIFO queue. Requests beyond the queue fail as
 * overloaded, before the queues of region servers fill up and reject writes too. Every request completes within
 * its timeout, whatever the cluster does. Thread-safe and non-blocking.
 */
final class ConcurrencyLimit {
    private final String name;
    private final int inFlightMax;
    private final int queuedMax;
    private final long timeoutNanos;
    private final Deque<Request<?>> queue = new ArrayDeque<>();

    /** Queued requests and those in flight, in order of arrival. */
    private final Set<Request<?>> pending = new LinkedHashSet<>();

    private int inFlight;
    private boolean watched;

    /**
     * @param name plural noun for the requests in messages
     * @param requestTimeout after this time a request fails as overloaded. If it is still queued, it is never
     *     sent; otherwise it counts as in flight until it completes
     */
    ConcurrencyLimit(String name, int inFlightMax, int queuedMax, Duration requestTimeout) {
        this.name = name;
        this.inFlightMax = inFlightMax;
        this.queuedMax = queuedMax;
        this.timeoutNanos = requestTimeout.toNanos();
    }

    /** Sends the request, now or later, and returns its result. */
    <T> CompletionStage<T> run(Supplier<CompletionStage<T>> call) {
        Request<T> request = new Request<>(call);
        synchronized (this) {
            boolean waits = inFlight >= inFlightMax;
            if (waits && queue.size() >= queuedMax) {
                return CompletableFuture.failedFuture(
                        HBaseErrors.overloaded("Too many " + name + " wait for the cluster."));
            }
            pending.add(request);
            if (!watched) {
                watch(timeoutNanos);
            }
            if (waits) {
                queue.add(request);
                return request.result;
            }
            inFlight++;
        }
        if (request.completesImmediately()) {
            sendNext(request);
        }
        return request.result;
    }

    /** One timer serves all requests, because the oldest one times out first. */
    private void watch(long nanos) {
        watched = true;
        Timer.after(Duration.ofNanos(nanos)).thenRun(this::failLate);
    }

    private void failLate() {
        List<Request<?>> late = new ArrayList<>();
        synchronized (this) {
            watched = false;
            long now = System.nanoTime();
            for (Iterator<Request<?>> oldest = pending.iterator(); oldest.hasNext() && !watched; ) {
                Request<?> request = oldest.next();
                long left = request.arrivedNanos + timeoutNanos - now;
                if (left > 0) {
                    watch(left);
                } else {
                    oldest.remove();
                    late.add(request);
                    // The queue is in the same order.
                    if (queue.peek() == request) {
                        queue.remove();
                    }
                }
            }
        }
        late.forEach(request -> request.fail(HBaseErrors.overloaded("The cluster did not respond in time.")));
    }

    /** Sends the next requests. A loop, so that requests that complete immediately do not overflow the stack. */
    private void sendNext(Request<?> completed) {
        Request<?> next = releaseAndPoll(completed);
        while (next != null && next.completesImmediately()) {
            next = releaseAndPoll(next);
        }
    }

    private synchronized @Nullable Request<?> releaseAndPoll(Request<?> completed) {
        pending.remove(completed);
        Request<?> next = queue.poll();
        if (next == null) {
            inFlight--;
        }
        return next;
    }

    /** Returns the number of requests in flight. */
    synchronized int inFlight() {
        return inFlight;
    }

    /** Returns the number of queued requests. */
    synchronized int queued() {
        return queue.size();
    }

    private final class Request<T> {
        private final Supplier<CompletionStage<T>> call;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final long arrivedNanos = System.nanoTime();

        Request(Supplier<CompletionStage<T>> call) {
            this.call = call;
        }

        /**
         * Sends the request; returns whether it has completed already. Otherwise its completion sends the next
         * one.
         */
        boolean completesImmediately() {
            CompletionStage<T> sent = send();
            if (sent.toCompletableFuture().isDone()) {
                sent.whenComplete(this::complete);
                return true;
            }
            sent.whenComplete((value, failure) -> {
                // First, because the caller may read the metrics.
                sendNext(this);
                complete(value, failure);
            });
            return false;
        }

        private CompletionStage<T> send() {
            try {
                return call.get();
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void complete(T value, @Nullable Throwable failure) {
            if (failure == null) {
                result.complete(value);
            } else {
                fail(StageFailures.cause(failure));
            }
        }

        void fail(Throwable failure) {
            result.completeExceptionally(failure);
        }
    }
}
