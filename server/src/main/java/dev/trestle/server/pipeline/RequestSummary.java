package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.server.codec.QueryParameters;
import java.util.Optional;

/**
 * A finished request, for observers. Its texts are as the client sent them: they may be as long as a request line,
 * and the query may contain a signature, so an observer must select, truncate and redact what it shows.
 *
 * @param account the account in the request, which may not exist
 * @param resource the name of a table, queue, container or blob
 * @param status 499 if the client closed the connection before the response; 500 also if the response was aborted
 * @param error the error of the response, or of an operation in a batch, whose own status is 202
 * @param nanos from the head of the request until the response was written to the socket; for a streamed body, all
 *     of it
 * @param bytesIn the length of the request body
 * @param bytesOut the length of the response body
 * @param plan the plan of a query on entities
 * @param details further details, computed on demand
 */
public record RequestSummary(
        String id,
        Optional<String> clientRequestId,
        String clientAddress,
        String account,
        Service service,
        Operation<?, ?> operation,
        Optional<String> resource,
        QueryParameters query,
        int status,
        Optional<StorageError> error,
        long nanos,
        long bytesIn,
        long bytesOut,
        Optional<QueryPlan> plan,
        long rowsExamined,
        long rowsReturned,
        RequestDetails details) {
    /** The status that proxies log for a client that closed the connection; it is never sent. */
    public static final int CLIENT_GONE = 499;

    /**
     * Creates the summary of a request.
     *
     * @param response empty if none was sent
     * @param nanos the time since its head arrived
     * @param sendingNanos the time since its response was rendered
     */
    public static RequestSummary of(
            Request request,
            Optional<Response> response,
            int status,
            long bytesIn,
            long bytesOut,
            long nanos,
            long sendingNanos) {
        RequestTrace trace = request.trace();
        return new RequestSummary(
                request.id(),
                request.header("x-ms-client-request-id"),
                request.remote().address(),
                request.account(),
                request.service(),
                trace.operation(),
                trace.resource(),
                request.address().query(),
                status,
                trace.error(),
                nanos,
                bytesIn,
                bytesOut,
                trace.plan(),
                trace.rowsExamined(),
                trace.rowsReturned(),
                new FinishedRequest(request, response, sendingNanos));
    }

    /** Creates the summary of a message that could not be parsed as a request, and was refused. */
    public static RequestSummary ofUnreadable(
            String id,
            Optional<String> clientRequestId,
            String clientAddress,
            Service service,
            int status,
            StorageError error,
            long bytesOut) {
        return new RequestSummary(
                id,
                clientRequestId,
                clientAddress,
                "",
                service,
                Operation.UNKNOWN,
                Optional.empty(),
                QueryParameters.NONE,
                status,
                Optional.of(error),
                0,
                0,
                bytesOut,
                Optional.empty(),
                0,
                0,
                RequestDetails.NONE);
    }
}
