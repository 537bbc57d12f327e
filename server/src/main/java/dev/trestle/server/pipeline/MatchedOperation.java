package dev.trestle.server.pipeline;

import dev.trestle.server.auth.Grant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The operation that a request is for, and the resource it is on.
 *
 * @param resource in the form in which names are compared, for authorization; empty for the service as a whole
 * @param spelled the name of the resource as the request spells it, for logs; empty where it stands in the body
 * @param systemResource whether the service itself writes the resource
 * @param call calls the handler with what the grant allows
 */
public record MatchedOperation(
        Operation<?, ?> operation,
        Optional<String> resource,
        Optional<String> spelled,
        boolean systemResource,
        Function<Grant, CompletionStage<Response>> call) {

    /** An operation with the call that its handler gets. */
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

    /** No operation: a request from a caller with good credentials that has this response all the same. */
    public static MatchedOperation none(Supplier<Response> response) {
        return new MatchedOperation(
                Operation.UNKNOWN,
                Optional.empty(),
                Optional.empty(),
                false,
                grant -> CompletableFuture.completedFuture(response.get()));
    }

    /** Returns if the grant has all permissions that the request requires. */
    public void authorize(Request request, Grant grant) {
        operation.authorize(request, grant, resource, systemResource);
    }

    /** The same operation, whose successful responses are changed like this. */
    public MatchedOperation andThen(UnaryOperator<Response> change) {
        return new MatchedOperation(
                operation,
                resource,
                spelled,
                systemResource,
                grant -> call.apply(grant).thenApply(change));
    }
}
