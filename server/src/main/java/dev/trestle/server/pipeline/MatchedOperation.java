package dev.trestle.server.pipeline;

import dev.trestle.server.auth.Grant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The operation and the resource that a request addresses.
 *
 * @param resource the normalized name of the resource, for authorization; empty for the service as a whole
 * @param spelled the name of the resource as in the request, for logs; empty if only the body contains it
 * @param systemResource whether only the service itself writes the resource, such as {@code $logs}
 * @param handler calls the handler
 */
public record MatchedOperation(
        Operation<?, ?> operation,
        Optional<String> resource,
        Optional<String> spelled,
        boolean systemResource,
        Function<Grant, CompletionStage<Response>> handler) {

    /** Creates a match whose handler is called with a call made from the grant. */
    public static <H, C> MatchedOperation of(
            Operation<H, C> operation,
            H handlers,
            Function<Grant, C> call,
            Optional<String> resource,
            Optional<String> spelled,
            boolean systemResource) {
        return new MatchedOperation(
                operation, resource, spelled, systemResource, grant -> operation.call(handlers, call.apply(grant)));
    }

    /** Creates a match of no operation: authenticated callers get this response. */
    public static MatchedOperation none(Supplier<Response> response) {
        return new MatchedOperation(
                Operation.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                false,
                grant -> CompletableFuture.completedFuture(response.get()));
    }

    /** Throws unless the grant has all permissions that the request requires. */
    public void authorize(Request request, Grant grant) {
        operation.authorize(request, grant, resource, systemResource);
    }

    /** Calls the handler. */
    CompletionStage<Response> call(Grant grant) {
        return handler.apply(grant);
    }

    /** Returns the same match, with a change to successful responses. */
    public MatchedOperation andThen(UnaryOperator<Response> change) {
        return new MatchedOperation(
                operation,
                resource,
                spelled,
                systemResource,
                grant -> handler.apply(grant).thenApply(change));
    }
}
