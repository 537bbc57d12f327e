package dev.trestle.engine.support;

import dev.trestle.engine.EngineException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A thread pool with a bounded queue, for tasks that may block on the disk. Tasks beyond the queue fail as
 * overloaded.
 */
public final class WorkerPool implements AutoCloseable {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor executor;
    private final Function<Throwable, EngineException> failures;

    /** @param failures maps what a task throws to the exception that its stage fails with */
    public WorkerPool(String name, int threads, int queuedMax, Function<Throwable, EngineException> failures) {
        this.failures = failures;
        AtomicInteger number = new AtomicInteger();
        executor = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queuedMax), task -> {
                    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /** Runs the task on a thread of the pool. The stage fails with {@code EngineException} only. */
    public <T> CompletionStage<T> submit(Callable<T> task) {
        return submit(task, () -> {});
    }

    /**
     * Runs the task like {@link #submit(Callable)}, and always runs {@code cleanup}: after the task and before the
     * stage completes, or on the caller's thread if the task is rejected.
     */
    public <T> CompletionStage<T> submit(Callable<T> task, Runnable cleanup) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                T value;
                try {
                    value = task.call();
                } catch (Throwable failure) {
                    cleanup.run();
                    // Errors too, because the stage must complete in any case.
                    result.completeExceptionally(failures.apply(failure));
                    return;
                }
                cleanup.run();
                result.complete(value);
            });
        } catch (RejectedExecutionException e) {
            cleanup.run();
            result.completeExceptionally(
                    executor.isShutdown()
                            ? new EngineException(EngineException.Kind.UNAVAILABLE, "The engine is closed.", e)
                            : new EngineException(
                                    EngineException.Kind.OVERLOADED, "Too many requests wait for the disk.", e));
        }
        return result;
    }

    /** Returns the number of tasks that wait for a thread. Lock-free, because it is called for every page. */
    public int queued() {
        return executor.getQueue().size();
    }

    /** Returns the number of tasks that run. */
    public int running() {
        return executor.getActiveCount();
    }

    /** Rejects further tasks, and returns when all accepted ones have completed. */
    @Override
    public void close() {
        executor.shutdown();
        Uninterruptible.run(() -> {
            while (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
                // Tasks never block forever.
            }
        });
    }
}
