package dev.trestle.engine.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Delays and time limits, all on the daemon thread {@code trestle-timer}.
 *
 * <p>Dependent stages run on that thread, so they may only start asynchronous work. Pass an executor to the
 * {@code Async} variants for anything that computes or blocks.
 */
public final class Timer {
    private static final ScheduledThreadPoolExecutor THREAD = thread();

    private Timer() {}

    /** Completes after the delay. */
    public static CompletionStage<Void> after(Duration delay) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        ScheduledFuture<?> unused = schedule(() -> over.complete(null), delay);
        return over;
    }

    /**
     * Fails the future with {@link TimeoutException} unless it completes within the limit; returns the same
     * future.
     */
    public static <T> CompletableFuture<T> limit(CompletableFuture<T> future, Duration limit) {
        if (!future.isDone()) {
            ScheduledFuture<?> timeout = schedule(() -> future.completeExceptionally(new TimeoutException()), limit);
            CompletionStage<T> stage = future;
            stage.whenComplete((value, failure) -> timeout.cancel(false));
        }
        return future;
    }

    private static ScheduledFuture<?> schedule(Runnable task, Duration delay) {
        return THREAD.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor thread() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "trestle-timer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }
}
