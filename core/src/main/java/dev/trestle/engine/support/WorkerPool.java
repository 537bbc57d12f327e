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

/** A few threads with a bounded queue, for what may wait for the disk; a full queue answers overload. */
public final class WorkerPool implements AutoCloseable {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor executor;
    private final Function<Throwable, EngineException> failures;

    /** @param failures what callers are told of what the work threw */
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

    /** Runs the work soon; the stage fails with {@code EngineException} only. */
    public <T> CompletionStage<T> submit(Callable<T> work) {
        return submit(work, () -> {});
    }

    /** As above, and runs the other after it, before its answer is given, or in its place where there is no room. */
    public <T> CompletionStage<T> submit(Callable<T> work, Runnable after) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                T value;
                try {
                    value = work.call();
                } catch (Throwable failure) {
                    after.run();
                    // Errors too: a caller must never wait for an answer that cannot come.
                    answer.completeExceptionally(failures.apply(failure));
                    return;
                }
                after.run();
                answer.complete(value);
            });
        } catch (RejectedExecutionException e) {
            after.run();
            answer.completeExceptionally(
                    executor.isShutdown()
                            ? new EngineException(EngineException.Kind.UNAVAILABLE, "The engine is closed.", e)
                            : new EngineException(
                                    EngineException.Kind.OVERLOADED, "Too many requests wait for the disk.", e));
        }
        return answer;
    }

    /** Work that waits for a thread. Asked often, and this queue knows it without a lock. */
    public int queued() {
        return executor.getQueue().size();
    }

    /** Takes no more work and returns when all that was taken is done. */
    @Override
    public void close() {
        executor.shutdown();
        boolean interrupted = false;
        while (true) {
            try {
                if (executor.awaitTermination(1, TimeUnit.MINUTES)) {
                    break;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
