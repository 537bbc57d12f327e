package dev.trestle.patterns.outbox;

/** A step of a transaction could not be done; its message will come again. */
public final class StepFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StepFailedException(String step, Throwable cause) {
        super("The step \"" + step + "\" failed: " + cause.getMessage(), cause);
    }
}
