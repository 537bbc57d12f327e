package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.plan.QueryPlan;
import dev.trestle.server.auth.QueryParameters;
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
        OperationName operation,
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
}
