package dev.trestle.server.auth;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Checks that SAS for a single resource share in all services: "Create a service SAS", with stored access
 * policies.
 */
final class ServiceSas {
    /**
     * The service's message about an address that does not name a resource of the signed kind; the typo is the
     * service's.
     */
    static final String WRONG_LEVEL = "The specified signed resource is not allowed for the this resource level";

    private static final String VERSION_WITH_SERVICE = "2015-02-21";

    private final SasChecks checks;
    private final Refusals refusals;

    /** The terms of a SAS or of a stored access policy; each field may be set in only one of them. */
    private record Terms(OptionalLong start, OptionalLong expiry, Optional<String> permissions) {}

    ServiceSas(SasChecks checks, Refusals refusals) {
        this.checks = checks;
        this.refusals = refusals;
    }

    /**
     * Returns the lines of the string to sign that all services share, up to the version, without a final line
     * end.
     */
    String textToSign(Account account, String version, SignedRequest request, String resource) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("sp", "st", "se")) {
            text.append(checks.field(request, name)).append('\n');
        }
        if (version.compareTo(VERSION_WITH_SERVICE) >= 0) {
            text.append('/').append(request.service().word());
        }
        text.append('/').append(account.name()).append('/').append(resource).append('\n');
        text.append(checks.field(request, "si"));
        for (String name : List.of("sip", "spr")) {
            String value = checks.fieldSince(request, name, version, SasChecks.VERSION_WITH_SOURCE);
            if (version.compareTo(SasChecks.VERSION_WITH_SOURCE) >= 0) {
                text.append('\n').append(value);
            }
        }
        return text.toString();
    }

    /**
     * Returns the grant of a SAS with a valid signature. The stage is complete already, unless a policy has to be
     * read.
     */
    CompletionStage<ServiceSasGrant> grant(SignedRequest request, String resource, PolicyLookup policies) {
        return permissions(request, resource, policies)
                .thenApply(letters -> new ServiceSasGrant(request.service(), resource, letters, refusals));
    }

    /**
     * Returns the permissions of a SAS with a valid signature, if its other terms hold. The stage is complete
     * already, unless a policy has to be read.
     *
     * @param holder the table, queue or container whose policies apply
     */
    CompletionStage<String> permissions(SignedRequest request, String holder, PolicyLookup policies) {
        Terms terms = terms(request);
        String policy = checks.field(request, "si");
        if (policy.isEmpty()) {
            return CompletableFuture.completedFuture(permissions(request, terms));
        }
        return policies.find(request.account(), holder)
                .thenApply(found -> permissions(request, merge(terms, findPolicy(policy, found))));
    }

    private String permissions(SignedRequest request, Terms terms) {
        if (terms.expiry.isEmpty() && !checks.field(request, "si").isEmpty()) {
            throw refusals.unauthenticated(
                    "The signature has no expiry, neither in se nor in a stored policy.",
                    "Signed expiry must be specified in signature or SAS identifier");
        }
        checks.validity(terms.start, terms.expiry);
        String permissions = terms.permissions.orElseThrow(() -> refusals.unauthenticated(
                "The signature has no permissions, neither in sp nor in a stored policy.",
                checks.field(request, "si").isEmpty()
                        ? "sp is mandatory. Cannot be empty"
                        : "Signed permission must be specified in signature or SAS identifier"));
        checks.source(request);
        checks.protocol(request);
        return permissions;
    }

    private Terms terms(SignedRequest request) {
        String permissions = checks.field(request, "sp");
        return new Terms(
                checks.time(request, "st"),
                checks.time(request, "se"),
                Optional.of(permissions).filter(letters -> !letters.isEmpty()));
    }

    private AccessPolicy findPolicy(String id, Optional<List<AccessPolicy>> policies) {
        return policies.stream()
                .flatMap(List::stream)
                .filter(policy -> policy.id().equals(id))
                .findFirst()
                .orElseThrow(() -> refusals.unauthenticated(
                        "There is no stored policy of the id in si.",
                        "SAS identifier cannot be found for specified signed identifier"));
    }

    private static Terms merge(Terms terms, AccessPolicy policy) {
        Optional<String> permissions = policy.permissions().filter(letters -> !letters.isEmpty());
        if ((terms.start.isPresent() && policy.start().isPresent())
                || (terms.expiry.isPresent() && policy.expiry().isPresent())
                || (terms.permissions.isPresent() && permissions.isPresent())) {
            // The documentation specifies status 400 without a code; this is the code for an invalid parameter.
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        return new Terms(
                terms.start.isPresent() ? terms.start : policy.start(),
                terms.expiry.isPresent() ? terms.expiry : policy.expiry(),
                terms.permissions.or(() -> permissions));
    }
}
