package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;

/** The operations of one service, as the pipeline sees them. */
public interface ServiceOperations {
    /**
     * Matches a request to an operation and a resource, by verb, path, query and headers.
     *
     * @throws StorageException if there is no such operation; only authenticated callers see the error
     */
    MatchedOperation match(Request request);

    /** Returns the error format of the service. */
    ErrorFormat errors();
}
