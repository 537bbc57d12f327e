package dev.trestle.cli;

import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for engine operations on the thread of a command. Failures are {@link EngineException}s. */
final class Stages {
    private Stages() {}

    /** Returns the result of a stage. */
    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            Throwable cause = StageFailures.cause(e);
            throw cause instanceof EngineException known
                    ? known
                    : new EngineException(EngineException.Kind.UNAVAILABLE, String.valueOf(cause), e);
        }
    }

    /** Returns the result of a stage; until then, reports progress every second. */
    static <T> T await(CompletionStage<T> stage, Runnable progress) throws InterruptedException {
        CompletableFuture<Boolean> completed =
                stage.handle((result, failure) -> true).toCompletableFuture();
        while (!isCompleted(completed)) {
            progress.run();
        }
        return await(stage);
    }

    private static boolean isCompleted(CompletableFuture<Boolean> completed) throws InterruptedException {
        try {
            return completed.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
