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
 * Verifies the credentials of a request and returns a {@link Grant}. Thread-safe.
 *
 * <p>If a request has an Authorization header, only that is verified, even if the address has a SAS too. The client
 * added the header last, and a valid SAS must not hide a wrong header.
 */
public final class Authenticator {
    /** The detail of an error that names the failed check of the credentials. */
    public static final String DETAIL = "AuthenticationErrorDetail";

    /** From these protocol versions on, a request without valid credentials gets 401 and a challenge. */
    private static final String VERSION_WITH_CHALLENGE = "2019-12-12";

    private static final String TABLE_VERSION_WITH_CHALLENGE = "2020-12-06";

    private final Accounts accounts;
    private final Refusals refusals;
    private final SharedKey sharedKey;
    private final AccountSas accountSas;
    private final TableSas tableSas;
    private final QueueSas queueSas;
    private final BlobSas blobSas;
    private final Optional<BearerAuthentication> bearer;

    /**
     * Creates an authenticator for these accounts.
     *
     * @param explain whether an error says which check failed; for development only
     * @param tokens verifies bearer tokens; without it they are all rejected
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
        this.bearer = tokens.map(verifier -> new BearerAuthentication(verifier, refusals));
    }

    /**
     * Returns the grant. The stage is complete already, unless a stored access policy or a public access level has to
     * be read.
     *
     * @throws StorageException if the credentials are rejected; after a lookup, the stage fails with it instead
     */
    public CompletionStage<Grant> authenticate(SignedRequest request, PolicyLookup policies) {
        Account account = accounts.find(request.account())
                .orElseThrow(() -> new StorageException(StorageError.RESOURCE_NOT_FOUND));
        String authorization = request.header().apply("authorization");
        if (authorization != null) {
            return CompletableFuture.completedFuture(headerGrant(authorization, account, request));
        }
        QueryParameters query = request.query();
        if (!query.has("sig") && !query.has("sv")) {
            if (request.service() == Service.BLOB) {
                return AnonymousAccess.grant(
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
        return sas(account, request, policies);
    }

    /**
     * Determines the kind of SAS by fields that are not signed. That is safe because each kind has its own string to
     * sign.
     */
    private CompletionStage<Grant> sas(Account account, SignedRequest request, PolicyLookup policies) {
        QueryParameters query = request.query();
        query.repeated(SasChecks.FIELDS).ifPresent(name -> {
            // Which of the two values counts is ambiguous, and a proxy may read the other one.
            throw refusals.unauthenticated("The field " + name + " is given twice.", Refusals.MALFORMED);
        });
        if (query.has("skoid")) {
            // Without bearer tokens, no user delegation key can have been issued.
            if (request.service() != Service.BLOB || bearer.isEmpty()) {
                throw refusals.unauthenticated("This server does not know any user delegation keys.");
            }
            return blobSas.verifyDelegated(account, request, policies);
        }
        return switch (request.service()) {
            case TABLE ->
                query.has("tn") ? tableSas.verify(account, request, policies) : accountSasGrant(account, request);
            case QUEUE ->
                isAccountSas(query) ? accountSasGrant(account, request) : queueSas.verify(account, request, policies);
            case BLOB ->
                isAccountSas(query) ? accountSasGrant(account, request) : blobSas.verify(account, request, policies);
        };
    }

    private static boolean isAccountSas(QueryParameters query) {
        return query.has("ss") && query.has("srt");
    }

    private CompletionStage<Grant> accountSasGrant(Account account, SignedRequest request) {
        return CompletableFuture.completedFuture(accountSas.verify(account, request));
    }

    private Grant headerGrant(String authorization, Account account, SignedRequest request) {
        String header = authorization.strip();
        int space = header.indexOf(' ');
        if (space < 0) {
            throw new StorageException(StorageError.INVALID_AUTHENTICATION_INFO);
        }
        String credentials = header.substring(space + 1).strip();
        return switch (header.substring(0, space).toLowerCase(Locale.ROOT)) {
            case "sharedkey" -> sharedKey.verify(SharedKey.Form.FULL, credentials, account, request);
            case "sharedkeylite" -> sharedKey.verify(SharedKey.Form.LITE, credentials, account, request);
            case "bearer" -> bearerGrant(credentials, request);
            default -> throw new StorageException(StorageError.INVALID_AUTHENTICATION_INFO);
        };
    }

    private Grant bearerGrant(String token, SignedRequest request) {
        if (bearer.isEmpty()) {
            throw challenge(StorageError.INVALID_BEARER_TOKEN, request, "This server does not know any bearer tokens.");
        }
        try {
            return bearer.get().verify(token, request);
        } catch (InvalidTokenException e) {
            throw isChallenged(request) ? refusals.badToken(e.reason()) : refusals.unauthenticated(e.reason());
        }
    }

    /** With a challenge, the error needs no further detail. */
    private StorageException challenge(StorageError error, SignedRequest request, String why) {
        return isChallenged(request) ? new StorageException(error) : refusals.unauthenticated(why);
    }

    private static boolean isChallenged(SignedRequest request) {
        String since = request.service() == Service.TABLE ? TABLE_VERSION_WITH_CHALLENGE : VERSION_WITH_CHALLENGE;
        return request.headerOrEmpty("x-ms-version").compareTo(since) >= 0;
    }
}
