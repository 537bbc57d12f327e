package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.server.codec.QueryParameters;
import java.util.Optional;

/**
 * A request that is finished, as those who watch see it. Text in it is what the client sent, of any length up to that
 * of a request line, and the parameters may hold a signature: whoever shows them has to choose and to cut.
 *
 * @param account as the request names it, whether there is such an account or not
 * @param resource the name of a table or queue
 * @param status 499 when the client went away before it was answered; 500 also when an answer could not be sent whole
 * @param error also that of an operation within a batch, whose own status is 202
 * @param nanos from the head of the request to its answer being handed to the socket, all of it where its body is
 *     fetched meanwhile
 * @param bytesIn of the body
 * @param bytesOut of the body
 * @param plan of a query on entities
 * @param details more, for those who ask
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
    /** What proxies log for a client that went away; it is never on the wire. */
    public static final int CLIENT_GONE = 499;

    /**
     * The summary of a request.
     *
     * @param response empty if none was sent
     * @param bytesIn the length of its body
     * @param nanos since its head arrived
     * @param sendingNanos since its response was ready
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

    /** The summary of what could not be read as a request, and was refused. */
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
