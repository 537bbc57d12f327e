package dev.trestle.launcher;

/** A child process did not start, or did not exit, as expected. The message includes its output. */
public final class ProcessFailedException extends RuntimeException {
    ProcessFailedException(String message) {
        super(message);
    }
}
