package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;

/** The error responses of a service. */
public interface ErrorFormat {
    /**
     * The response to a failed request, without the headers that every response has.
     *
     * @param message the text of the error with the request's id and time
     */
    Response render(Request request, StorageException error, String message);

    /** The text of the message, without id and time. */
    default String text(StorageException error) {
        return error.text();
    }

    /** The error as an XML document, for what could not be read as a request. */
    byte[] document(StorageException error, String message);
}
