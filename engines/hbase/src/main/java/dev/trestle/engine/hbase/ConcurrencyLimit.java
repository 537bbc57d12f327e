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
 * Lets so many requests go to the cluster at once and has so many more wait, in the order they came; one beyond that is told
 * overload, before the queues of region servers fill up and writes are turned away with it. Every request is answered in
 * its time, whatever the cluster does. For any thread; nobody waits in a call.
 */
final class ConcurrencyLimit {
    private final String name;
    private final int inFlightMax;
    private final int queuedMax;
    private final long answerNanosMax;
    private final Deque<Passage<?>> queue = new ArrayDeque<>();

    /** Those that wait and those that are under way, in the order they came. */
    private final Set<Passage<?>> unanswered = new LinkedHashSet<>();

    private int inFlight;
    private boolean watched;

    /**
     * @param name what passes, for people
     * @param requestTimeout one that has no answer after this is told overload. If it still waited it is never made; otherwise
     *     it is one of those at once until it is over
     */
    ConcurrencyLimit(String name, int inFlightMax, int queuedMax, Duration requestTimeout) {
        this.name = name;
        this.inFlightMax = inFlightMax;
        this.queuedMax = queuedMax;
        this.answerNanosMax = requestTimeout.toNanos();
    }

    /** The answer of the request, which is made now or when its turn comes. */
    <T> CompletionStage<T> pass(Supplier<CompletionStage<T>> request) {
        Passage<T> passage = new Passage<>(request);
        synchronized (this) {
            boolean waits = inFlight >= inFlightMax;
            if (waits && queue.size() >= queuedMax) {
                return CompletableFuture.failedFuture(
                        HBaseErrors.overloaded("Too many " + name + " wait for the cluster."));
            }
            unanswered.add(passage);
            if (!watched) {
                watch(answerNanosMax);
            }
            if (waits) {
                queue.add(passage);
                return passage.answer;
            }
            inFlight++;
        }
        if (passage.isOverAtOnce()) {
            goOn(passage);
        }
        return passage.answer;
    }

    /** One timer serves all, for what came first is late first; while answers come, it hardly ever runs. */
    private void watch(long nanos) {
        watched = true;
        Timer.after(Duration.ofNanos(nanos)).thenRun(this::answerLate);
    }

    private void answerLate() {
        List<Passage<?>> late = new ArrayList<>();
        synchronized (this) {
            watched = false;
            long now = System.nanoTime();
            for (Iterator<Passage<?>> oldest = unanswered.iterator(); oldest.hasNext() && !watched; ) {
                Passage<?> passage = oldest.next();
                long left = passage.begunNanos + answerNanosMax - now;
                if (left > 0) {
                    watch(left);
                } else {
                    oldest.remove();
                    late.add(passage);
                    // Those that wait do so in the same order.
                    if (queue.peek() == passage) {
                        queue.remove();
                    }
                }
            }
        }
        late.forEach(passage -> passage.fail(HBaseErrors.overloaded("The cluster did not answer in time.")));
    }

    /** A loop, so that requests which are answered at once, one after the other, do not fill the stack. */
    private void goOn(Passage<?> over) {
        Passage<?> next = following(over);
        while (next != null && next.isOverAtOnce()) {
            next = following(next);
        }
    }

    private synchronized @Nullable Passage<?> following(Passage<?> over) {
        unanswered.remove(over);
        Passage<?> next = queue.poll();
        if (next == null) {
            inFlight--;
        }
        return next;
    }

    /** Requests that have been made and are not over. */
    synchronized int inFlight() {
        return inFlight;
    }

    /** Requests that wait for their turn. */
    synchronized int queued() {
        return queue.size();
    }

    private final class Passage<T> {
        private final Supplier<CompletionStage<T>> request;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final long begunNanos = System.nanoTime();

        Passage(Supplier<CompletionStage<T>> request) {
            this.request = request;
        }

        boolean isOverAtOnce() {
            CompletionStage<T> made = make();
            if (made.toCompletableFuture().isDone()) {
                made.whenComplete(this::answer);
                return true;
            }
            made.whenComplete((value, failure) -> {
                // The next goes first: whoever gets this answer may look at the figures.
                goOn(this);
                answer(value, failure);
            });
            return false;
        }

        private CompletionStage<T> make() {
            try {
                return request.get();
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private void answer(T value, @Nullable Throwable failure) {
            if (failure == null) {
                answer.complete(value);
            } else {
                fail(StageFailures.cause(failure));
            }
        }

        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }
}
