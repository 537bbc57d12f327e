package dev.trestle.engine.hbase;

import dev.trestle.engine.Stages;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many requests go to the cluster at once and has so many more wait, in the order they came; one beyond that is told
 * overload, before the queues of region servers fill up and writes are turned away with it. For any thread; nobody waits
 * in a call.
 */
final class Turnstile {
    private final String name;
    private final int atOnceMax;
    private final int queuedMax;
    private final long waitNanosMax;
    private final Deque<Passage<?>> queue = new ArrayDeque<>();
    private int underWay;

    /**
     * @param name what passes, for people
     * @param waitMax one that has waited longer is told overload when its turn comes, for nobody may listen any more
     */
    Turnstile(String name, int atOnceMax, int queuedMax, Duration waitMax) {
        this.name = name;
        this.atOnceMax = atOnceMax;
        this.queuedMax = queuedMax;
        this.waitNanosMax = waitMax.toNanos();
    }

    /** The answer of the request, which is made now or when its turn comes. */
    <T> CompletionStage<T> pass(Supplier<CompletionStage<T>> request) {
        Passage<T> passage = new Passage<>(request);
        synchronized (this) {
            if (underWay >= atOnceMax) {
                if (queue.size() >= queuedMax) {
                    return CompletableFuture.failedFuture(overloaded());
                }
                queue.add(passage);
                return passage.answer;
            }
            underWay++;
        }
        if (passage.isOverAtOnce()) {
            goOn();
        }
        return passage.answer;
    }

    private RuntimeException overloaded() {
        return Failures.overloaded("Too many " + name + " wait for the cluster.");
    }

    /** A loop, so that requests which are answered at once, one after the other, do not fill the stack. */
    private void goOn() {
        Passage<?> next = following();
        while (next != null && (next.isTooLate() || next.isOverAtOnce())) {
            next = following();
        }
    }

    private synchronized @Nullable Passage<?> following() {
        Passage<?> next = queue.poll();
        if (next == null) {
            underWay--;
        }
        return next;
    }

    /** Requests that have been made and not been answered. */
    synchronized int underWay() {
        return underWay;
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

        boolean isTooLate() {
            return System.nanoTime() - begunNanos > waitNanosMax && answer.completeExceptionally(overloaded());
        }

        boolean isOverAtOnce() {
            CompletionStage<T> made = make();
            if (made.toCompletableFuture().isDone()) {
                made.whenComplete(this::answer);
                return true;
            }
            made.whenComplete((value, failure) -> {
                // The next goes first: whoever gets this answer may look at the figures.
                goOn();
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
                answer.completeExceptionally(Stages.cause(failure));
            }
        }
    }
}
