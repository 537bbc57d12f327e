package dev.trestle.queue;

/** The rows of a queue are being reclaimed: it was cleared or deleted, and has to be looked up again. */
final class QueueGoneException extends RuntimeException {
    QueueGoneException() {
        // No stack trace: it is expected, and caught where it means something.
        super("the queue was cleared or deleted", null, false, false);
    }
}
