package dev.trestle.patterns.outbox;

/** Thrown when a step of a transaction fails. A {@link Worker} retries the transaction. */
public final class StepFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StepFailedException(String step, Throwable cause) {
        super("The step \"" + step + "\" failed: " + cause.getMessage(), cause);
    }
}
