package dev.trestle.server.auth;

import dev.trestle.server.auth.BlobScope.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Verifies a SAS for one container or blob, the one that the path of the request names. */
final class BlobSas {
    private static final String VERSION_MIN = "2009-09-19";
    private static final String VERSION_WITH_DELEGATION = "2018-11-09";

    /** The response headers that a SAS can set, by the field that sets each. */
    private static final Map<String, String> HEADERS = Map.of(
            "rscc", "Cache-Control",
            "rscd", "Content-Disposition",
            "rsce", "Content-Encoding",
            "rscl", "Content-Language",
            "rsct", "Content-Type");

    private final ServiceSas sas;
    private final BlobStringToSign text;
    private final SasChecks checks;
    private final Refusals refusals;

    BlobSas(ServiceSas sas, SasChecks checks, Refusals refusals) {
        this.sas = sas;
        this.text = new BlobStringToSign(sas, checks);
        this.checks = checks;
        this.refusals = refusals;
    }

    /** Returns a stage that is complete already, unless a stored access policy has to be read. */
    CompletionStage<Grant> verify(Account account, SignedRequest request, PolicyLookup policies) {
        String version = checks.version(request, VERSION_MIN);
        BlobScope scope = scope(request, version);
        List<String> signable = asSigned(request, scope).stream()
                .map(signed -> text.byAccount(account, version, request, signed))
                .toList();
        checks.signature(request, account, signable);
        return grant(request, scope, policies);
    }

    /** Verifies a user delegation SAS, which cannot refer to a stored access policy. */
    CompletionStage<Grant> verifyDelegated(Account account, SignedRequest request, PolicyLookup policies) {
        String version = checks.version(request, VERSION_WITH_DELEGATION);
        checks.rejectUnsupported(request, "si");
        BlobScope scope = scope(request, version);
        DelegatedKey key = DelegatedKey.of(request, checks, refusals);
        List<String> signable = asSigned(request, scope).stream()
                .map(signed -> text.byDelegate(account, version, request, signed))
                .toList();
        String signature = checks.required(request, "sig");
        if (signable.stream().noneMatch(signed -> key.verify(account, signed, signature))) {
            throw checks.wrongSignature(signature, signable);
        }
        // Both bind the SAS to a user, which would require that user's token or permissions.
        checks.rejectUnsupported(request, "sduoid");
        checks.rejectUnsupported(request, "suoid");
        key.checkLife(checks, refusals, checks.time(request, "se"));
        return grant(request, scope, policies);
    }

    private CompletionStage<Grant> grant(SignedRequest request, BlobScope scope, PolicyLookup policies) {
        Map<String, String> headers = headers(request);
        return sas.permissions(request, scope.container(), policies)
                .thenApply(permissions -> new BlobSasGrant(scope, permissions, headers, refusals));
    }

    private BlobScope scope(SignedRequest request, String version) {
        for (String name : List.of("ses", "srh", "srq", "sdd")) {
            checks.rejectUnsupported(request, name);
        }
        Kind kind = kind(checks.required(request, "sr"));
        BlobPath path = BlobPath.of(request);
        String container = checks.singleLine("the name of the container", path.container());
        // With a slash in the name, a container and a blob in another container would have the same string to sign.
        if (container.isEmpty() || container.indexOf('/') >= 0) {
            throw refusals.unauthenticated(
                    "The signature is for a container, and the address names none.", ServiceSas.WRONG_LEVEL);
        }
        if (kind == Kind.CONTAINER) {
            return new BlobScope(kind, container, "", "");
        }
        String blob = checks.singleLine("the name of the blob", path.blob());
        if (blob.isEmpty()) {
            throw refusals.unauthenticated(
                    "The signature is for a blob, and the address names none.", ServiceSas.WRONG_LEVEL);
        }
        return new BlobScope(kind, container, blob, kind == Kind.SNAPSHOT ? snapshot(request, version) : "");
    }

    /** Returns the scopes to try: a client may sign the name with its backslashes or with the slashes they become. */
    private static List<BlobScope> asSigned(SignedRequest request, BlobScope scope) {
        String asSent = BlobPath.of(request).blobAsSent();
        return scope.blob().isEmpty() || scope.blob().equals(asSent)
                ? List.of(scope)
                : List.of(scope, new BlobScope(scope.kind(), scope.container(), asSent, scope.snapshot()));
    }

    private Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw refusals.unauthenticated("The field sr is none of c, b and bs, which are those that this server serves.");
    }

    private String snapshot(SignedRequest request, String version) {
        if (!BlobStringToSign.signsSnapshot(version)) {
            throw refusals.unauthenticated("A signature over a snapshot needs a later sv, one that signs it.");
        }
        return checks.required(request, "snapshot");
    }

    private Map<String, String> headers(SignedRequest request) {
        Map<String, String> headers = new HashMap<>();
        HEADERS.forEach((field, header) -> {
            String value = checks.field(request, field);
            if (value.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
                throw refusals.unauthenticated("The field " + field + " cannot be the value of a header.");
            }
            if (!value.isEmpty()) {
                headers.put(header, value);
            }
        });
        return headers;
    }
}
