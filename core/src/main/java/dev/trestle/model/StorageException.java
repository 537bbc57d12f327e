package dev.trestle.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * An error response: a {@link StorageError} with the message for the client. No other exception is sent to
 * clients.
 */
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
        // No stack trace: this is a response, not a defect, and clients can cause any number of them.
        super(message, null, false, false);
        this.error = error;
        this.status = status;
        this.operation = operation;
        this.details = details;
        this.headers = headers;
    }

    /**
     * Throws an error if a condition does not hold.
     *
     * @throws StorageException with the default message of the error
     */
    public static void throwUnless(boolean condition, StorageError error) {
        if (!condition) {
            throw new StorageException(error);
        }
    }

    /** Returns the error of all writes to a secondary endpoint. */
    public static StorageException readOnly() {
        return new StorageException(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS, "Write operations are not allowed.");
    }

    /** Returns the same error, caused by the operation at this index of a transaction. */
    public StorageException at(int index) {
        return new StorageException(error, status, text(), index, details, headers);
    }

    /** Returns the same error with another HTTP status. */
    public StorageException withStatus(int other) {
        return new StorageException(error, other, text(), operation, details, headers);
    }

    /** Returns the same error with one more detail, which XML responses have as an element. */
    public StorageException with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(details);
        more.put(name, value);
        return new StorageException(error, status, text(), operation, more, headers);
    }

    /** Returns the same error with one more response header. */
    public StorageException withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new StorageException(error, status, text(), operation, details, more);
    }

    /** Returns the index of the operation that failed, or empty if no particular one did. */
    public OptionalInt operation() {
        return operation == NO_OPERATION ? OptionalInt.empty() : OptionalInt.of(operation);
    }

    public StorageError error() {
        return error;
    }

    /** Returns the HTTP status, by default that of the error. */
    public int status() {
        return status;
    }

    /** Returns the details in the order in which they were added. */
    public Map<String, String> details() {
        return details;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the message for the client. */
    public String text() {
        String message = getMessage();
        return message == null ? error.message() : message;
    }
}
