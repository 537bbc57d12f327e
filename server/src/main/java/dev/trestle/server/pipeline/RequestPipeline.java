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
 * The processing of requests to one service; {@link #process} lists the steps in order. The engine completes
 * commits on the event loop that requested them, so no step after a handler's call runs on the thread that
 * commits.
 */
public final class RequestPipeline {
    private static final int CLIENT_REQUEST_ID_UNITS_MAX = 1024;

    private static final CompletionStage<Void> NOTHING = CompletableFuture.completedStage(null);

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
     * Creates the pipeline of a service.
     *
     * @param properties returns the service properties of an account
     * @param operations creates the operations of the service, which may send further requests through this pipeline
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
        // The rules are read first: if they could not be read after the call, its outcome could not be reported.
        return attempt(() -> corsRules(request))
                .thenCompose(rules -> process(request).thenApply(response -> Cors.decorate(request, rules, response)))
                .exceptionally(failure -> errors.render(request, failure))
                .thenApply(response -> withCommonHeaders(request, response));
    }

    /**
     * Returns the response to a request in a batch. It passes all steps of other requests except CORS, which
     * applies to the whole batch. The stage never completes exceptionally.
     */
    public CompletionStage<Response> respondToPart(Request part) {
        return process(part).thenApply(response -> withCommonHeaders(part, response));
    }

    /** Returns the response to a request that is refused for a reason outside of it, such as overload. */
    public Response refuse(Request request, StorageException refusal) {
        return withCommonHeaders(request, errors.render(request, refusal));
    }

    /** Runs the steps that every operation needs, in order. Each may fail, and every failure is rendered here. */
    private CompletionStage<Response> process(Request request) {
        return attempt(() -> {
                    version.check(request);
                    RequestTimeout.check(request);
                    if (isPreflight(request)) {
                        return preflight(request);
                    }
                    Match match = match(request);
                    return authenticate(request).thenCompose(grant -> {
                        MatchedOperation matched = match.orThrow();
                        trace(request, matched);
                        matched.authorize(request, grant);
                        throttle.request(request.account());
                        return collectBody(request, matched).thenCompose(collected -> matched.call(grant));
                    });
                })
                // The handler has left the thread of the engine by now, after success and failure alike.
                .exceptionally(failure -> errors.render(request, failure));
    }

    private CompletionStage<Grant> authenticate(Request request) {
        return authenticator.authenticate(SignedRequests.of(request), policies);
    }

    private static boolean isPreflight(Request request) {
        return request.method().equals("OPTIONS");
    }

    private CompletionStage<Response> preflight(Request request) {
        request.trace().begin(Operation.PREFLIGHT);
        if (accounts.find(request.account()).isEmpty()) {
            throw new StorageException(StorageError.RESOURCE_NOT_FOUND);
        }
        return properties.apply(request.account()).thenApply(rules -> Cors.preflight(request, rules));
    }

    /** The matched operation, or the error if there is none, which only authenticated callers may see. */
    private record Match(
            @Nullable MatchedOperation matched, @Nullable StorageException refusal) {
        MatchedOperation orThrow() {
            if (matched == null) {
                throw refusal == null ? new IllegalStateException("neither an operation nor an error") : refusal;
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

    /** Collects the body if the operation takes it as a whole; a streamed one is read by the handler. */
    private static CompletionStage<Void> collectBody(Request request, MatchedOperation matched) {
        if (!(matched.operation().body() instanceof BodyMode.Collected mode)) {
            return NOTHING;
        }
        if (!request.content().mayHaveBytes()) {
            checkMd5(request);
            return NOTHING;
        }
        return request.collect(mode.bytesMax()).thenRun(() -> checkMd5(request));
    }

    private CompletionStage<ServiceProperties> corsRules(Request request) {
        // Account names that do not exist must not be cached, because anybody can invent them.
        return isPreflight(request) || accounts.find(request.account()).isEmpty()
                ? CompletableFuture.completedFuture(ServiceProperties.DEFAULT)
                : properties.apply(request.account());
    }

    /** Adds the headers of every response. Running on the thread that commits would delay all writes. */
    private Response withCommonHeaders(Request request, Response response) {
        assert !Thread.currentThread().getName().equals("trestle-committer")
                : request.trace().operation();
        response.header("x-ms-request-id", request.id());
        if (response.isRefusedBeforeRouting()) {
            return response;
        }
        version.find(request).ifPresent(requested -> response.header("x-ms-version", requested));
        request.header("x-ms-client-request-id")
                .filter(RequestPipeline::isEchoable)
                .ifPresent(id -> response.header("x-ms-client-request-id", id));
        return response;
    }

    private static boolean isEchoable(String clientId) {
        return clientId.length() <= CLIENT_REQUEST_ID_UNITS_MAX
                && clientId.chars().allMatch(c -> c > 0x20 && c < 0x7F);
    }

    /** Compares a collected body with its Content-MD5, if there is one; throws if they differ. */
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
