package dev.trestle.model;

import java.util.OptionalInt;

/** The only exception that means "answer this": a {@link StorageError} with the sentence for the caller. */
public final class StorageException extends RuntimeException {
    private static final int NO_OPERATION = -1;

    private final StorageError error;
    private final int operation;

    public StorageException(StorageError error) {
        this(error, error.message());
    }

    public StorageException(StorageError error, String message) {
        this(error, message, NO_OPERATION);
    }

    private StorageException(StorageError error, String message, int operation) {
        // No stack trace: this is an answer, not a fault, and clients can provoke it at will.
        super(message, null, false, false);
        this.error = error;
        this.operation = operation;
    }

    /** The same answer, caused by the operation at this index of a transaction. */
    public StorageException at(int index) {
        return new StorageException(error, text(), index);
    }

    /** The index of the operation that failed, or empty when no single one did. */
    public OptionalInt operation() {
        return operation == NO_OPERATION ? OptionalInt.empty() : OptionalInt.of(operation);
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
