package dev.trestle.queue;

/** The queue was cleared or deleted since its name was resolved. The caller has to resolve the name again. */
final class QueueGoneException extends RuntimeException {
    QueueGoneException() {
        // No stack trace: it is expected and always caught.
        super("The queue was cleared or deleted", null, false, false);
    }
}
