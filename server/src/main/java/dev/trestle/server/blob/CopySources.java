package dev.trestle.server.blob;

import dev.trestle.blob.BlobAddress;
import dev.trestle.blob.Copies;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Accounts;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.auth.Grant;
import dev.trestle.server.auth.PolicyLookup;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.RequestAddress;
import dev.trestle.server.pipeline.SignedRequests;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Resolves and authorizes the source of a copy. Only addresses of this server are allowed, to prevent server-side
 * request forgery (SSRF).
 */
public final class CopySources {
    private static final String AUTHORIZATION = "x-ms-copy-source-authorization";
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");

    private final Accounts accounts;
    private final Authenticator authenticator;
    private final PolicyLookup policies;

    public CopySources(Accounts accounts, Authenticator authenticator, PolicyLookup policies) {
        this.accounts = accounts;
        this.authenticator = authenticator;
        this.policies = policies;
    }

    /**
     * Returns the source of Copy Blob. The credentials of the request also grant access to the source if it is in
     * the same account and the request has no others for it.
     */
    CompletionStage<Copies.Source> copied(Request request, Grant grant) {
        RequestAddress address = address(request);
        boolean own = address.query().find("sig").isEmpty()
                && request.header(AUTHORIZATION).isEmpty()
                && address.account().equals(request.account());
        return find(request, address, own ? Optional.of(grant) : Optional.empty(), grant, false);
    }

    /**
     * Returns the source of an operation "from URL". The source must be public or have credentials of its own;
     * those of the request do not grant access, not even an account key.
     *
     * @param grant the grant of the request, which applies to the tags of a source in the same account only
     * @param fetched as in {@link Copies.Source}
     */
    CompletionStage<Copies.Source> ofUrl(Request request, Grant grant, boolean fetched) {
        return find(request, address(request), Optional.empty(), grant, fetched);
    }

    private RequestAddress address(Request request) {
        String url = url(request);
        return address(url, request.address().authority(), accounts);
    }

    private static String url(Request request) {
        return request.header("x-ms-copy-source")
                .map(String::strip)
                .orElseThrow(() -> BlobConditions.missing("x-ms-copy-source"));
    }

    private CompletionStage<Copies.Source> find(
            Request request, RequestAddress address, Optional<Grant> own, Grant caller, boolean fetched) {
        Unsupported.refuseVersions(address.query().find("versionid"));
        BlobPath path = BlobPath.of(address.rawResource(), false);
        if (path.blob().isEmpty()) {
            throw BlobConditions.invalid("x-ms-copy-source");
        }
        BlobAddress blob = path.blob(address.account());
        Optional<Grant> tagReader =
                address.account().equals(request.account()) ? Optional.of(caller) : Optional.empty();
        Copies.Source source = new Copies.Source(
                blob, snapshot(address), BlobConditions.ofSource(request), shown(url(request), address), fetched);
        return reader(request, address, own)
                .thenApply(allowed -> {
                    allowed.check(BlobOperations.GET_BLOB.permission(), Optional.of(BlobCall.resource(blob)));
                    TagHeaders.checkSource(request, allowed, tagReader, BlobCall.resource(blob));
                    return source;
                })
                .exceptionallyCompose(failure -> {
                    StorageException refusal = ErrorRenderer.toError(failure, request.id());
                    return CompletableFuture.failedFuture(Copies.unverified(refusal, refusal.text()));
                });
    }

    private CompletionStage<Grant> reader(Request request, RequestAddress address, Optional<Grant> own) {
        if (own.isPresent()) {
            return CompletableFuture.completedFuture(own.get());
        }
        Optional<String> authorization = request.header(AUTHORIZATION);
        if (authorization.isPresent() && !authorization.get().regionMatches(true, 0, "Bearer ", 0, 7)) {
            throw BlobConditions.invalid(AUTHORIZATION);
        }
        try {
            return authenticator.authenticate(SignedRequests.readOf(address, request, authorization), policies);
        } catch (StorageException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    /**
     * Parses the URL of a source on this server.
     *
     * @param own the host and port of the request
     */
    static RequestAddress address(String url, String own, Accounts accounts) {
        String lower = url.toLowerCase(Locale.ROOT);
        int scheme = lower.startsWith("http://") ? 7 : lower.startsWith("https://") ? 8 : 0;
        if (scheme == 0) {
            throw BlobConditions.invalid("x-ms-copy-source");
        }
        int slash = url.indexOf('/', scheme);
        String authority = url.substring(scheme, slash < 0 ? url.length() : slash);
        if (!isHere(authority, own) && !isAccount(authority, accounts)) {
            throw new StorageException(
                            StorageError.CANNOT_VERIFY_COPY_SOURCE,
                            "This server copies only from addresses of its own: the host of x-ms-copy-source has to be the"
                                    + " one that the request itself was sent to, or begin with the name of an account.")
                    .withHeader("x-ms-copy-source-status-code", "404");
        }
        return RequestAddress.parse(
                slash < 0 ? "/" : url.substring(slash), authority, lower.startsWith("https"), accounts);
    }

    static boolean isHere(String authority, String own) {
        String source = authority.toLowerCase(Locale.ROOT);
        String here = own.toLowerCase(Locale.ROOT);
        return source.equals(here)
                || (port(source).equals(port(here))
                        && THIS_MACHINE.contains(host(source))
                        && THIS_MACHINE.contains(host(here)));
    }

    /** Whether the first label of the host is an account of this server. */
    private static boolean isAccount(String authority, Accounts accounts) {
        int dot = authority.indexOf('.');
        return dot > 0
                && accounts.find(authority.substring(0, dot).toLowerCase(Locale.ROOT))
                        .isPresent();
    }

    private static String port(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? authority.substring(colon) : "";
    }

    private static String host(String authority) {
        return authority.substring(0, authority.length() - port(authority).length());
    }

    private static OptionalLong snapshot(RequestAddress address) {
        Optional<String> text = address.query().find("snapshot");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong taken = Ticks.parse(text.get());
        if (taken.isEmpty() || taken.getAsLong() < 0 || taken.getAsLong() > Ticks.MAX) {
            throw BlobConditions.invalid("x-ms-copy-source");
        }
        return taken;
    }

    /** Returns the URL without its signature, because readers of the copy can see it. */
    private static String shown(String url, RequestAddress address) {
        int question = url.indexOf('?');
        String bare = question < 0 ? url : url.substring(0, question);
        return bare
                + address.query()
                        .find("snapshot")
                        .map(time -> "?snapshot=" + time)
                        .orElse("");
    }
}
