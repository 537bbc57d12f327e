package dev.trestle.server.http;

import dev.trestle.server.auth.Grant;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One operation that takes its body as it comes, given as a function. */
record StreamingRoutes(Function<Request, CompletionStage<Response>> operation) implements Routes {

    @Override
    public CompletionStage<Response> serve(Request request, Grant grant) {
        return operation.apply(request);
    }

    @Override
    public boolean streamsBodies() {
        return true;
    }
}
