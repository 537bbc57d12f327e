package dev.trestle.server.analytics;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the services, which the threads of analytics may, unlike all others. */
final class Await {
    private static final Duration TIME_MAX = Duration.ofSeconds(20);

    private Await() {}

    /** What the stage completes with; what it fails with is thrown. */
    static <T> T on(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("the service did not answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
