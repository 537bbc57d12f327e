package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.server.throttle.Throttle;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Every step from a request to its answer, in order. */
final class RequestPipeline {
    private static final String FIRST_VERSION = "2009-04-14";
    private static final int CLIENT_REQUEST_ID_UNITS_MAX = 1024;
    private static final int TIMEOUT_DIGITS_MAX = 10;

    private final Authenticator authenticator;
    private final PolicyLookup policies;
    private final Service service;
    private final Function<String, CompletionStage<ServiceProperties>> properties;
    private final Routes routes;
    private final ErrorRenderer errors;
    private final Accounts accounts;
    private final Throttle throttle;

    /** Clients that are served together mostly speak the same version. */
    private volatile String knownVersion = FIRST_VERSION;

    /**
     * A pipeline to these operations.
     *
     * @param properties those of the service, by account
     * @param routes makes the operations, some of which send requests through this pipeline, but only when they serve one
     */
    RequestPipeline(
            Service service,
            Accounts accounts,
            Authenticator authenticator,
            PolicyLookup policies,
            Function<String, CompletionStage<ServiceProperties>> properties,
            Function<RequestPipeline, Routes> routes,
            ErrorRenderer errors,
            Throttle throttle) {
        this.accounts = accounts;
        this.authenticator = authenticator;
        this.policies = policies;
        this.service = service;
        this.properties = properties;
        this.errors = errors;
        this.throttle = throttle;
        this.routes = routes.apply(this);
    }

    Service service() {
        return service;
    }

    /** Whether requests are to be answered before their bodies have come. */
    boolean streamsBodies() {
        return routes.streamsBodies();
    }

    /** The answer; this stage never completes exceptionally. */
    CompletionStage<Response> answer(Request request) {
        // The rules come first: where they cannot be had, nothing was done yet that the answer would have to tell of.
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
    CompletionStage<Response> answerPart(Request part) {
        return attempt(() -> serve(part))
                .exceptionally(failure -> errors.render(part, failure))
                .thenApply(response -> withCommonHeaders(part, response));
    }

    /** The answer to a request that is not served, for a reason outside of it. */
    Response refuse(Request request, StorageException refusal) {
        return withCommonHeaders(request, errors.render(request, refusal));
    }

    private CompletionStage<Response> serve(Request request) {
        checkVersion(request);
        checkTimeout(request);
        if (!routes.streamsBodies()) {
            checkMd5(request);
        }
        if (request.method().equals("OPTIONS")) {
            request.trace().begin(OperationName.PREFLIGHT);
            if (accounts.find(request.account()).isEmpty()) {
                throw new StorageException(StorageError.RESOURCE_NOT_FOUND);
            }
            return properties.apply(request.account()).thenApply(rules -> Cors.preflight(request, rules));
        }
        return authenticator.authenticate(request.signed(), policies).thenCompose(grant -> {
            // Only what was let in counts, so that strangers cannot use up what an account may ask.
            throttle.request(request.account());
            return routes.serve(request, grant);
        });
    }

    private CompletionStage<ServiceProperties> corsRules(Request request) {
        // Names that are no account's must not leave a trace, for anybody can make them up.
        return request.method().equals("OPTIONS")
                        || accounts.find(request.account()).isEmpty()
                ? CompletableFuture.completedFuture(ServiceProperties.DEFAULT)
                : properties.apply(request.account());
    }

    private Response withCommonHeaders(Request request, Response response) {
        response.header("x-ms-request-id", request.id());
        if (response.isFromFrontDoor()) {
            return response;
        }
        version(request).ifPresent(version -> response.header("x-ms-version", version));
        request.header("x-ms-client-request-id")
                .filter(RequestPipeline::isEchoable)
                .ifPresent(id -> response.header("x-ms-client-request-id", id));
        return response;
    }

    private static boolean isEchoable(String clientId) {
        return clientId.length() <= CLIENT_REQUEST_ID_UNITS_MAX
                && clientId.chars().allMatch(c -> c > 0x20 && c < 0x7F);
    }

    /** The protocol version a request asks for, when it asks for one that can be. */
    private Optional<String> version(Request request) {
        return request.header("x-ms-version")
                .or(() -> request.query("api-version"))
                .or(() -> request.query("sv"))
                .filter(this::isKnownVersion);
    }

    /** Any date from the first version on, also one newer than this server: clients move ahead of their servers. */
    private void checkVersion(Request request) {
        Optional<String> asked = request.header("x-ms-version").or(() -> request.query("api-version"));
        if (asked.isPresent() && !isKnownVersion(asked.get())) {
            throw new StorageException(StorageError.INVALID_HEADER_VALUE);
        }
    }

    private boolean isKnownVersion(String text) {
        if (text.equals(knownVersion)) {
            return true;
        }
        boolean version = isVersion(text);
        if (version) {
            knownVersion = text;
        }
        return version;
    }

    static boolean isVersion(String text) {
        if (text.length() != FIRST_VERSION.length() || text.charAt(4) != '-' || text.charAt(7) != '-') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (i != 4 && i != 7 && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
                return false;
            }
        }
        return Ticks.parse(text).isPresent() && text.compareTo(FIRST_VERSION) >= 0;
    }

    private static void checkTimeout(Request request) {
        Optional<String> timeout = request.query("timeout");
        if (timeout.isPresent() && !isTimeout(timeout.get())) {
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
    }

    static boolean isTimeout(String text) {
        return !text.isEmpty()
                && text.length() < TIMEOUT_DIGITS_MAX
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** A body that does not match the digest its sender gave was not the one that was sent; for bodies in memory. */
    static void checkMd5(Request request) {
        Optional<String> declared = request.header("Content-MD5").filter(text -> !text.isEmpty());
        if (declared.isEmpty()) {
            return;
        }
        try {
            byte[] expected = Base64.getDecoder().decode(declared.get());
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(request.body(), request.bodyOffset(), request.bodyLength());
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

    /** What is thrown before there is a stage becomes a failed stage. */
    private static <T> CompletionStage<T> attempt(Attempt<T> attempt) {
        try {
            return attempt.run();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
