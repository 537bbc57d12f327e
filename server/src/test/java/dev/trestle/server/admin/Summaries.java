package dev.trestle.server.admin;

import dev.trestle.catalogue.Service;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import dev.trestle.model.StorageError;
import dev.trestle.plan.Planner;
import dev.trestle.plan.QueryPlan;
import dev.trestle.server.codec.QueryParameters;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.server.pipeline.RequestDetails;
import dev.trestle.server.pipeline.RequestSummary;
import java.util.Optional;

/** Finished requests to watch. */
final class Summaries {
    private Summaries() {}

    static RequestSummary insert(int status, Optional<StorageError> error) {
        return summary(
                Operations.of(Service.TABLE, "InsertEntity"), "", status, error, Optional.empty(), Optional.empty());
    }

    /** A query of one partition that looked at 30 entities and returned 3. */
    static RequestSummary query(String rawQuery) {
        Filter filter = Filter.compare(Filter.PARTITION_KEY, Operator.EQ, new EdmValue.Text("eu"));
        return summary(
                Operations.of(Service.TABLE, "QueryEntities"),
                rawQuery,
                200,
                Optional.empty(),
                Optional.of(Planner.plan(filter)),
                Optional.empty());
    }

    static RequestSummary from(String clientRequestId) {
        return summary(
                Operations.of(Service.TABLE, "InsertEntity"),
                "",
                204,
                Optional.empty(),
                Optional.empty(),
                Optional.of(clientRequestId));
    }

    private static RequestSummary summary(
            Operation<?, ?> operation,
            String rawQuery,
            int status,
            Optional<StorageError> error,
            Optional<QueryPlan> plan,
            Optional<String> clientRequestId) {
        return new RequestSummary(
                "id-1",
                clientRequestId,
                "192.0.2.7",
                "mine",
                Service.TABLE,
                operation,
                Optional.of("orders"),
                QueryParameters.parse(rawQuery),
                status,
                error,
                1_042_999,
                17,
                230,
                plan,
                plan.isPresent() ? 30 : 0,
                plan.isPresent() ? 3 : 0,
                RequestDetails.NONE);
    }
}
