package dev.trestle.server.http;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.ServerLoad;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestPipeline;
import dev.trestle.server.pipeline.Response;

/**
 * A response that was admitted to the memory for responses.
 *
 * @param held the bytes counted for it until its client has read it; 0 if it is small or streamed
 */
record AdmittedResponse(Response response, int held) {
    /** Admits the response, or replaces it by {@code ServerBusy} if the memory for responses is exhausted. */
    static AdmittedResponse admit(Request request, Response response, ServerLoad load, RequestPipeline pipeline) {
        boolean inMemory =
                response.stream().filter(body -> body.file().isEmpty()).isPresent();
        if (inMemory && load.responsesOverflow() && request.method().equals("GET")) {
            response.discard();
            return refusal(request, StorageError.SERVER_BUSY, pipeline);
        }
        if (response.buffered().isSmall()) {
            return new AdmittedResponse(response, 0);
        }
        int bytes = response.buffered().heldBytes();
        if (!load.holdResponse(bytes) && request.method().equals("GET")) {
            load.releaseResponse(bytes);
            response.discard();
            return refusal(request, StorageError.SERVER_BUSY, pipeline);
        }
        return new AdmittedResponse(response, bytes);
    }

    static AdmittedResponse refusal(Request request, StorageError error, RequestPipeline pipeline) {
        return new AdmittedResponse(pipeline.refuse(request, new StorageException(error)), 0);
    }
}
