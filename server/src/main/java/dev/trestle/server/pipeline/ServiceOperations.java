package dev.trestle.server.pipeline;

import dev.trestle.model.StorageException;

/** The operations of one service, as the pipeline sees them. */
public interface ServiceOperations {
    /**
     * Finds out what a request is for, from its verb, path, query and headers.
     *
     * @throws StorageException when it is for no operation; callers without good credentials never see why
     */
    MatchedOperation match(Request request);

    /** The error responses of the service. */
    ErrorFormat errors();
}
