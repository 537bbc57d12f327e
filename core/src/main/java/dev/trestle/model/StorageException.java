package dev.trestle.model;

/** The only exception that means "answer this": a {@link StorageError} with the sentence for the caller. */
public final class StorageException extends RuntimeException {
    private final StorageError error;

    public StorageException(StorageError error) {
        this(error, error.message());
    }

    public StorageException(StorageError error, String message) {
        // No stack trace: this is an answer, not a fault, and clients can provoke it at will.
        super(message, null, false, false);
        this.error = error;
    }

    public StorageError error() {
        return error;
    }

    /** The sentence on the wire. */
    public String text() {
        String message = getMessage();
        return message == null ? error.message() : message;
    }
}
