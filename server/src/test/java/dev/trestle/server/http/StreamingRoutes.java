package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.Permission;
import dev.trestle.server.pipeline.ErrorFormat;
import dev.trestle.server.pipeline.MatchedOperation;
import dev.trestle.server.pipeline.Operation;
import dev.trestle.server.pipeline.OperationTable;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.pipeline.ServiceOperations;
import dev.trestle.server.table.ODataErrorFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One streaming operation, given as a function. */
record StreamingRoutes(Function<Request, CompletionStage<Response>> operation) implements ServiceOperations {

    @Override
    public MatchedOperation match(Request request) {
        Operation<StreamingRoutes, Grant> streaming = OperationTable.<StreamingRoutes, Grant>of(Service.TABLE)
                .operation("Stream")
                .needs(Permission.onObject("r"))
                .streams()
                .servedBy((routes, grant) -> routes.operation.apply(request));
        return MatchedOperation.of(streaming, this, grant -> grant, Optional.empty(), Optional.empty(), false);
    }

    @Override
    public ErrorFormat errors() {
        return new ODataErrorFormat();
    }
}
