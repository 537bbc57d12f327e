package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.auth.jwt.InvalidTokenException;
import dev.trestle.server.auth.jwt.TokenVerifier;
import dev.trestle.server.codec.QueryParameters;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Turns the credentials of a request into a {@link Grant}, or refuses them. Safe for all threads.
 *
 * <p>A request with an Authorization header is judged by it alone, even when its address carries a signature too: the
 * header is what its sender added last, and a wrong one should not be hidden by a signature that happens to hold.
 */
public final class Authenticator {
    /** The particular of an error that says which check of the credentials failed. */
    public static final String DETAIL = "AuthenticationErrorDetail";

    /** From these protocol versions on, a caller without good credentials is told with 401 how to get some. */
    private static final String VERSION_WITH_CHALLENGE = "2019-12-12";

    private static final String TABLE_VERSION_WITH_CHALLENGE = "2020-12-06";

    private final Accounts accounts;
    private final Refusals refusals;
    private final SharedKey sharedKey;
    private final AccountSas accountSas;
    private final TableSas tableSas;
    private final QueueSas queueSas;
    private final BlobSas blobSas;
    private final Optional<Bearer> bearer;

    /**
     * An authenticator for these accounts.
     *
     * @param explain whether a refusal says which check failed; for development, where nobody is kept out
     * @param tokens what bearer tokens are checked by; without it all are refused
     */
    public Authenticator(Accounts accounts, InstantSource clock, boolean explain, Optional<TokenVerifier> tokens) {
        this.accounts = accounts;
        this.refusals = new Refusals(explain);
        this.sharedKey = new SharedKey(clock, refusals);
        SasChecks checks = new SasChecks(clock, refusals);
        this.accountSas = new AccountSas(checks, refusals);
        ServiceSas serviceSas = new ServiceSas(checks, refusals);
        this.tableSas = new TableSas(serviceSas, checks, refusals);
        this.queueSas = new QueueSas(serviceSas, checks, refusals);
        this.blobSas = new BlobSas(serviceSas, checks, refusals);
        this.bearer = tokens.map(verifier -> new Bearer(verifier, refusals));
    }

    /**
     * The grant, at once unless something about the resource has to be found first: a stored access policy, or whether
     * it is public.
     *
     * @throws StorageException when the credentials are refused; if something had to be found, the stage fails with it
     */
    public CompletionStage<Grant> authenticate(SignedRequest request, PolicyLookup policies) {
        Account account = accounts.find(request.account())
                .orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND));
        String authorization = request.header().apply("authorization");
        if (authorization != null) {
            return CompletableFuture.completedFuture(authorized(authorization, account, request));
        }
        QueryParameters query = request.query();
        if (!query.has("sig") && !query.has("sv")) {
            if (request.service() == Service.BLOB) {
                return Anonymous.grant(
                        request,
                        policies,
                        isChallenged(request)
                                ? StorageError.NO_AUTHENTICATION_INFORMATION
                                : StorageError.RESOURCE_NOT_FOUND);
            }
            throw challenge(
                    StorageError.NO_AUTHENTICATION_INFORMATION,
                    request,
                    "The request has neither an Authorization header nor a shared access signature.");
        }
        return shared(account, request, policies);
    }

    /** Tells the kinds of signatures apart by fields that are not signed; but each kind signs a text of its own. */
    private CompletionStage<Grant> shared(Account account, SignedRequest request, PolicyLookup policies) {
        QueryParameters query = request.query();
        query.repeated(SasChecks.FIELDS).ifPresent(name -> {
            // Which of the two counts would be a matter of taste, and the one that does not could mislead a proxy.
            throw refusals.unauthenticated("The field " + name + " is given twice.", Refusals.MALFORMED);
        });
        if (query.has("skoid")) {
            // Without tokens nobody can have been given a key.
            if (request.service() != Service.BLOB || bearer.isEmpty()) {
                throw refusals.unauthenticated("This server does not know any user delegation keys.");
            }
            return blobSas.verifyDelegated(account, request, policies);
        }
        return switch (request.service()) {
            case TABLE -> query.has("tn") ? tableSas.verify(account, request, policies) : ofAccount(account, request);
            case QUEUE ->
                isOfAccount(query) ? ofAccount(account, request) : queueSas.verify(account, request, policies);
            case BLOB -> isOfAccount(query) ? ofAccount(account, request) : blobSas.verify(account, request, policies);
        };
    }

    private static boolean isOfAccount(QueryParameters query) {
        return query.has("ss") && query.has("srt");
    }

    private CompletionStage<Grant> ofAccount(Account account, SignedRequest request) {
        return CompletableFuture.completedFuture(accountSas.verify(account, request));
    }

    private Grant authorized(String authorization, Account account, SignedRequest request) {
        String header = authorization.strip();
        int space = header.indexOf(' ');
        if (space < 0) {
            throw new StorageException(StorageError.INVALID_AUTHENTICATION_INFO);
        }
        String credentials = header.substring(space + 1).strip();
        return switch (header.substring(0, space).toLowerCase(Locale.ROOT)) {
            case "sharedkey" -> sharedKey.verify(SharedKey.Form.FULL, credentials, account, request);
            case "sharedkeylite" -> sharedKey.verify(SharedKey.Form.LITE, credentials, account, request);
            case "bearer" -> borne(credentials, request);
            default -> throw new StorageException(StorageError.INVALID_AUTHENTICATION_INFO);
        };
    }

    private Grant borne(String token, SignedRequest request) {
        if (bearer.isEmpty()) {
            throw challenge(StorageError.INVALID_BEARER_TOKEN, request, "This server does not know any bearer tokens.");
        }
        try {
            return bearer.get().verify(token, request);
        } catch (InvalidTokenException e) {
            throw isChallenged(request) ? refusals.badToken(e.why()) : refusals.unauthenticated(e.why());
        }
    }

    /** Where there is a challenge, it says all there is to say. */
    private StorageException challenge(StorageError error, SignedRequest request, String why) {
        return isChallenged(request) ? new StorageException(error) : refusals.unauthenticated(why);
    }

    private static boolean isChallenged(SignedRequest request) {
        String since = request.service() == Service.TABLE ? TABLE_VERSION_WITH_CHALLENGE : VERSION_WITH_CHALLENGE;
        return request.headerOrEmpty("x-ms-version").compareTo(since) >= 0;
    }
}
