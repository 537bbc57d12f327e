package dev.trestle.engine.support;

import java.util.concurrent.CompletionException;

/** What whoever waits for the answer of an engine has to know of stages. */
public final class StageFailures {
    private StageFailures() {}

    /** What a stage has failed with, without what later stages put around it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
