package dev.trestle.engine.support;

import java.util.concurrent.CompletionException;

/** Unwraps failures of completion stages. */
public final class StageFailures {
    private StageFailures() {}

    /**
     * Returns the cause of a failure without the {@link CompletionException}s that dependent stages wrap around
     * it.
     */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
