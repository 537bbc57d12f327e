package dev.trestle.blob;

import dev.trestle.engine.support.StageFailures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Does a step again and again. A step that calls itself would, on an engine whose answers are ready when they are given,
 * go deeper into the stack with every row.
 */
final class AsyncLoop {
    private AsyncLoop() {}

    /**
     * Completes when a step has answered nothing, or fails when one has failed.
     *
     * @param step told where it begins, answers where the next one does
     */
    static <T> CompletionStage<Void> from(T start, Function<T, CompletionStage<Optional<T>>> step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        run(start, step, done);
        return done;
    }

    private static <T> void run(T start, Function<T, CompletionStage<Optional<T>>> step, CompletableFuture<Void> done) {
        try {
            Optional<T> next = Optional.of(start);
            while (next.isPresent()) {
                CompletionStage<Optional<T>> stage = step.apply(next.get());
                CompletableFuture<Optional<T>> answer = stage.toCompletableFuture();
                if (!answer.isDone()) {
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
                next = answer.join();
            }
            done.complete(null);
        } catch (RuntimeException e) {
            done.completeExceptionally(StageFailures.cause(e));
        }
    }
}
