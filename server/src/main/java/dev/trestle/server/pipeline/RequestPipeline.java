package dev.trestle.server.pipeline;

import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.Throttle;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.server.pipeline.Operation.BodyMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Every step from a request to its response, in order; {@link #serve} lists them. Commits complete on the event loop that
 * they were asked for on, so no step after a handler's call runs on a thread of the engine that writes.
 */
public final class RequestPipeline {
    private static final int CLIENT_REQUEST_ID_UNITS_MAX = 1024;

    private final Service service;
    private final Accounts accounts;
    private final Authenticator authenticator;
    private final PolicyLookup policies;
    private final Function<String, CompletionStage<ServiceProperties>> properties;
    private final ServiceOperations operations;
    private final ErrorRenderer errors;
    private final Throttle throttle;
    private final ProtocolVersion version = new ProtocolVersion();

    /**
     * A pipeline to the operations of a service.
     *
     * @param properties those of the service, by account
     * @param operations makes the operations, some of which send requests through this pipeline, but only when they serve one
     */
    public RequestPipeline(
            Service service,
            Accounts accounts,
            Authenticator authenticator,
            PolicyLookup policies,
            Function<String, CompletionStage<ServiceProperties>> properties,
            Function<RequestPipeline, ServiceOperations> operations,
            ErrorRenderer errors,
            Throttle throttle) {
        this.service = service;
        this.accounts = accounts;
        this.authenticator = authenticator;
        this.policies = policies;
        this.properties = properties;
        this.errors = errors;
        this.throttle = throttle;
        this.operations = operations.apply(this);
    }

    public Service service() {
        return service;
    }

    /** Returns the response; the stage never completes exceptionally. */
    public CompletionStage<Response> respond(Request request) {
        // The rules come first: if they cannot be read, nothing was done yet that the response would have to tell.
        return attempt(() -> corsRules(request))
                .thenCompose(rules -> attempt(() -> serve(request))
                        .exceptionally(failure -> errors.render(request, failure))
                        .thenApply(response -> {
                            Cors.decorate(request, rules, response);
                            return response;
                        }))
                .exceptionally(failure -> errors.render(request, failure))
                .thenApply(response -> withCommonHeaders(request, response));
    }

    /**
     * Returns the response to a request in a batch, which passes every step of other requests except CORS: that is for the
     * whole batch. The stage never completes exceptionally.
     */
    public CompletionStage<Response> respondToPart(Request part) {
        return attempt(() -> serve(part))
                .exceptionally(failure -> errors.render(part, failure))
                .thenApply(response -> withCommonHeaders(part, response));
    }

    /** Returns the response to a request that is not served, for a reason outside of it. */
    public Response refuse(Request request, StorageException refusal) {
        return withCommonHeaders(request, errors.render(request, refusal));
    }

    private CompletionStage<Response> serve(Request request) {
        version.check(request);
        RequestTimeout.check(request);
        if (request.method().equals("OPTIONS")) {
            return preflight(request);
        }
        Match match = match(request);
        return authenticator.authenticate(SignedRequests.of(request), policies).thenCompose(grant -> {
            MatchedOperation matched = match.orThrow();
            trace(request, matched);
            matched.authorize(request, grant);
            throttle.request(request.account());
            return takeBody(request, matched.operation().body(), () -> call(matched, grant));
        });
    }

    private CompletionStage<Response> preflight(Request request) {
        request.trace().begin(Operation.PREFLIGHT);
        if (accounts.find(request.account()).isEmpty()) {
            throw new StorageException(StorageError.RESOURCE_NOT_FOUND);
        }
        return properties.apply(request.account()).thenApply(rules -> Cors.preflight(request, rules));
    }

    /** The operation a request is for, or why it is for none, which only callers with good credentials learn. */
    private record Match(
            @Nullable MatchedOperation matched, @Nullable StorageException refusal) {
        MatchedOperation orThrow() {
            if (matched == null) {
                throw refusal == null ? new IllegalStateException("neither matched nor refused") : refusal;
            }
            return matched;
        }
    }

    private Match match(Request request) {
        try {
            return new Match(operations.match(request), null);
        } catch (StorageException refusal) {
            return new Match(null, refusal);
        }
    }

    private static void trace(Request request, MatchedOperation matched) {
        request.trace().begin(matched.operation());
        matched.spelled().ifPresent(request.trace()::resource);
    }

    private static CompletionStage<Response> takeBody(Request request, BodyMode mode, Attempt<Response> next) {
        if (!(mode instanceof BodyMode.Collected collected)) {
            return next.run();
        }
        if (!request.content().mayHaveBytes()) {
            checkMd5(request);
            return next.run();
        }
        return request.collect(collected.bytesMax()).thenCompose(taken -> {
            checkMd5(request);
            return next.run();
        });
    }

    private static CompletionStage<Response> call(MatchedOperation matched, Grant grant) {
        return matched.call().apply(grant);
    }

    private CompletionStage<ServiceProperties> corsRules(Request request) {
        // Names that are no account's must not leave a trace, for anybody can make them up.
        return request.method().equals("OPTIONS")
                        || accounts.find(request.account()).isEmpty()
                ? CompletableFuture.completedFuture(ServiceProperties.DEFAULT)
                : properties.apply(request.account());
    }

    /** Every response passes here. Made on the thread that commits, it would hold up the writes of everybody. */
    private Response withCommonHeaders(Request request, Response response) {
        assert !Thread.currentThread().getName().equals("trestle-committer")
                : request.trace().operation();
        response.header("x-ms-request-id", request.id());
        if (response.isFromFrontDoor()) {
            return response;
        }
        version.find(request).ifPresent(asked -> response.header("x-ms-version", asked));
        request.header("x-ms-client-request-id")
                .filter(RequestPipeline::isEchoable)
                .ifPresent(id -> response.header("x-ms-client-request-id", id));
        return response;
    }

    private static boolean isEchoable(String clientId) {
        return clientId.length() <= CLIENT_REQUEST_ID_UNITS_MAX
                && clientId.chars().allMatch(c -> c > 0x20 && c < 0x7F);
    }

    /** Returns if a collected body is the one that was sent, as far as its sender gave a digest. */
    public static void checkMd5(Request request) {
        Optional<String> declared = request.header("Content-MD5").filter(text -> !text.isEmpty());
        if (declared.isEmpty()) {
            return;
        }
        try {
            byte[] expected = Base64.getDecoder().decode(declared.get());
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(request.body(), 0, request.bodyLength());
            if (expected.length != md5.getDigestLength()) {
                throw new StorageException(StorageError.INVALID_MD5);
            }
            if (!MessageDigest.isEqual(expected, md5.digest())) {
                throw new StorageException(StorageError.MD5_MISMATCH);
            }
        } catch (IllegalArgumentException e) {
            throw new StorageException(StorageError.INVALID_MD5);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    private interface Attempt<T> {
        CompletionStage<T> run();
    }

    /** Turns a thrown failure into a failed stage. */
    private static <T> CompletionStage<T> attempt(Attempt<T> attempt) {
        try {
            return attempt.run();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
