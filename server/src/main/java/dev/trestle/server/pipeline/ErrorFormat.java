package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;

/** The error responses of a service. */
public interface ErrorFormat {
    /**
     * Returns the response to a failed request, without the headers that every response has.
     *
     * @param message the text of the error, with request id and time
     */
    Response render(Request request, StorageException error, String message);

    /** Returns the message without request id and time. */
    default String text(StorageException error) {
        return error.text();
    }

    /** Returns the error as an XML document, for a message that could not be parsed as a request. */
    byte[] document(StorageException error, String message);
}
