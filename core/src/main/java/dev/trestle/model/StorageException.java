package dev.trestle.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The only exception that means "answer this": a {@link StorageError} with the sentence for the caller. */
public final class StorageException extends RuntimeException {
    private static final int NO_OPERATION = -1;

    private final StorageError error;
    private final int status;
    private final int operation;
    private final transient Map<String, String> details;
    private final transient Map<String, String> headers;

    public StorageException(StorageError error) {
        this(error, error.message());
    }

    public StorageException(StorageError error, String message) {
        this(error, error.status(), message, NO_OPERATION, Map.of(), Map.of());
    }

    private StorageException(
            StorageError error,
            int status,
            String message,
            int operation,
            Map<String, String> details,
            Map<String, String> headers) {
        // No stack trace: this is an answer, not a fault, and clients can provoke it at will.
        super(message, null, false, false);
        this.error = error;
        this.status = status;
        this.operation = operation;
        this.details = details;
        this.headers = headers;
    }

    /** What the service says of any write to a secondary endpoint. */
    public static StorageException readOnly() {
        return new StorageException(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS, "Write operations are not allowed.");
    }

    /** The same answer, caused by the operation at this index of a transaction. */
    public StorageException at(int index) {
        return new StorageException(error, status, text(), index, details, headers);
    }

    /** The same answer with another HTTP status, for errors whose status is that of something else. */
    public StorageException withStatus(int other) {
        return new StorageException(error, other, text(), operation, details, headers);
    }

    /** The same answer with one more particular, which is an element of its own where errors are XML. */
    public StorageException with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(details);
        more.put(name, value);
        return new StorageException(error, status, text(), operation, more, headers);
    }

    /** The same answer with one more header. */
    public StorageException withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new StorageException(error, status, text(), operation, details, more);
    }

    /** The index of the operation that failed, or empty when no single one did. */
    public OptionalInt operation() {
        return operation == NO_OPERATION ? OptionalInt.empty() : OptionalInt.of(operation);
    }

    public StorageError error() {
        return error;
    }

    /** The HTTP status, which is the usual one of the error unless the answer has its own. */
    public int status() {
        return status;
    }

    /** What else there is to say, in the order it was given. */
    public Map<String, String> details() {
        return details;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The sentence on the wire. */
    public String text() {
        String message = getMessage();
        return message == null ? error.message() : message;
    }
}
