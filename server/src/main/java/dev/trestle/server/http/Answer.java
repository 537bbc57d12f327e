package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;

/**
 * What a request is answered with.
 *
 * @param held bytes that are counted for it until its client has taken it
 */
record Answer(Response response, int held) {
    /** What a socket's own buffers take, so that it never waits for long. */
    static final int SMALL_BYTES = 32 * 1024;

    /** The answer, or that there is no room to keep it until its client has taken it. */
    static Answer admit(Request request, Response response, ServerLoad load, RequestPipeline pipeline) {
        boolean inMemory =
                response.stream().filter(body -> body.file().isEmpty()).isPresent();
        if (inMemory && load.answersOverflow() && request.method().equals("GET")) {
            response.discard();
            return refusal(request, StorageError.SERVER_BUSY, pipeline);
        }
        if (response.bodyLength() <= SMALL_BYTES) {
            return new Answer(response, 0);
        }
        // All of the array stays in memory, also what the body does not fill.
        int bytes = response.heldBytes();
        if (!load.waiting(bytes) && request.method().equals("GET")) {
            load.taken(bytes);
            response.discard();
            return refusal(request, StorageError.SERVER_BUSY, pipeline);
        }
        return new Answer(response, bytes);
    }

    static Answer refusal(Request request, StorageError error, RequestPipeline pipeline) {
        return new Answer(pipeline.refuse(request, new StorageException(error)), 0);
    }
}
