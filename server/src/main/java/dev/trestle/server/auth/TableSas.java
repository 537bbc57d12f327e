package dev.trestle.server.auth;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Checks signatures over one table: "Create a service SAS", and the stored access policies they may lean on. */
final class TableSas {
    private static final String VERSION_MIN = "2012-02-12";
    private static final String VERSION_WITH_SERVICE = "2015-02-21";

    private final SasChecks checks;
    private final Refusals refusals;

    /** What a signature or a policy says; of each field at most one of the two may. */
    private record Terms(OptionalLong start, OptionalLong expiry, Optional<String> permissions) {}

    TableSas(SasChecks checks, Refusals refusals) {
        this.checks = checks;
        this.refusals = refusals;
    }

    /** Answers at once, except that a signature which names a policy waits for it to be found. */
    CompletionStage<Grant> verify(Account account, SignedRequest request, PolicyLookup policies) {
        if (request.service() != Service.TABLE) {
            throw new StorageException(StorageError.NOT_IMPLEMENTED);
        }
        String version = checks.version(request, VERSION_MIN);
        KeyBounds bounds = bounds(request);
        checks.signature(request, account, List.of(stringToSign(account, version, request)));
        TableName table = new TableName(checks.required(request, "tn"));
        Terms terms = terms(request);
        String policy = checks.field(request, "si");
        if (policy.isEmpty()) {
            return CompletableFuture.completedFuture(grant(request, table, bounds, terms));
        }
        return policies.find(account.name(), table)
                .thenApply(found -> grant(request, table, bounds, completed(terms, named(policy, found))));
    }

    private Grant grant(SignedRequest request, TableName table, KeyBounds bounds, Terms terms) {
        checks.validity(terms.start, terms.expiry);
        String permissions = terms.permissions.orElseThrow(() ->
                refusals.unauthenticated("The signature has no permissions, neither in sp nor in a stored policy."));
        checks.source(request);
        checks.protocol(request);
        return new TableSasGrant(table, permissions, bounds, refusals);
    }

    private Terms terms(SignedRequest request) {
        String permissions = checks.field(request, "sp");
        return new Terms(
                checks.time(request, "st"),
                checks.time(request, "se"),
                Optional.of(permissions).filter(letters -> !letters.isEmpty()));
    }

    private AccessPolicy named(String id, Optional<List<AccessPolicy>> policies) {
        return policies.stream()
                .flatMap(List::stream)
                .filter(policy -> policy.id().equals(id))
                .findFirst()
                .orElseThrow(() -> refusals.unauthenticated("The table has no stored policy of the id in si."));
    }

    private static Terms completed(Terms terms, AccessPolicy policy) {
        Optional<String> permissions = policy.permissions().filter(letters -> !letters.isEmpty());
        if ((terms.start.isPresent() && policy.start().isPresent())
                || (terms.expiry.isPresent() && policy.expiry().isPresent())
                || (terms.permissions.isPresent() && permissions.isPresent())) {
            // The documentation promises status 400 and no code; this is the code for a parameter that is at fault.
            throw new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE);
        }
        return new Terms(
                terms.start.isPresent() ? terms.start : policy.start(),
                terms.expiry.isPresent() ? terms.expiry : policy.expiry(),
                terms.permissions.or(() -> permissions));
    }

    /**
     * Here an empty field differs from an absent one, because the empty key is a legal bound. The signature cannot tell
     * the two apart; that is the protocol's, not ours.
     */
    private KeyBounds bounds(SignedRequest request) {
        QueryParameters query = request.query();
        KeyBounds bounds = new KeyBounds(query.find("spk"), query.find("srk"), query.find("epk"), query.find("erk"));
        if (!bounds.isComplete()) {
            throw refusals.unauthenticated("The fields srk and erk need spk and epk.");
        }
        return bounds;
    }

    private String stringToSign(Account account, String version, SignedRequest request) {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("sp", "st", "se")) {
            text.append(checks.field(request, name)).append('\n');
        }
        if (version.compareTo(VERSION_WITH_SERVICE) >= 0) {
            text.append('/').append(request.service().word());
        }
        text.append('/').append(account.name()).append('/');
        text.append(checks.required(request, "tn").toLowerCase(Locale.ROOT)).append('\n');
        text.append(checks.field(request, "si"));
        for (String name : List.of("sip", "spr")) {
            String value = checks.field(request, name);
            if (version.compareTo(SasChecks.VERSION_WITH_SOURCE) >= 0) {
                text.append('\n').append(value);
            } else if (!value.isEmpty()) {
                // Unsigned it would bind nobody, and whoever made the signature meant it to.
                throw refusals.unauthenticated(
                        "The field " + name + " needs sv from " + SasChecks.VERSION_WITH_SOURCE + " on.");
            }
        }
        for (String name : List.of("sv", "spk", "srk", "epk", "erk")) {
            text.append('\n').append(checks.field(request, name));
        }
        return text.toString();
    }
}
