package dev.trestle.async;

import dev.trestle.engine.support.StageFailures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * An asynchronous loop. Steps that complete at once run in a plain loop: a step that called itself would overflow
 * the stack on an engine that completes its stages before it returns them.
 */
public final class AsyncLoop {
    private AsyncLoop() {}

    /**
     * Repeats a step. Completes when a step returns empty, and fails when a step fails.
     *
     * @param start the argument of the first step
     * @param step returns the argument of the next step, or empty to end the loop
     */
    public static <T> CompletionStage<Void> from(T start, Function<T, CompletionStage<Optional<T>>> step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        run(start, step, done);
        return done;
    }

    private static <T> void run(T start, Function<T, CompletionStage<Optional<T>>> step, CompletableFuture<Void> done) {
        try {
            Optional<T> next = Optional.of(start);
            while (next.isPresent()) {
                CompletionStage<Optional<T>> stage = step.apply(next.get());
                CompletableFuture<Optional<T>> result = stage.toCompletableFuture();
                if (!result.isDone()) {
                    stage.whenComplete((later, failure) -> {
                        if (failure != null) {
                            done.completeExceptionally(StageFailures.cause(failure));
                        } else if (later.isPresent()) {
                            run(later.get(), step, done);
                        } else {
                            done.complete(null);
                        }
                    });
                    return;
                }
                next = result.join();
            }
            done.complete(null);
        } catch (RuntimeException e) {
            done.completeExceptionally(StageFailures.cause(e));
        }
    }
}
