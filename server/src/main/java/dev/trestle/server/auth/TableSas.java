package dev.trestle.server.auth;

import dev.trestle.model.TableName;
import dev.trestle.server.codec.QueryParameters;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** Verifies a SAS for one table, which the field {@code tn} names, with an optional key range. */
final class TableSas {
    private static final String VERSION_MIN = "2012-02-12";

    private final ServiceSas sas;
    private final SasChecks checks;
    private final Refusals refusals;

    TableSas(ServiceSas sas, SasChecks checks, Refusals refusals) {
        this.sas = sas;
        this.checks = checks;
        this.refusals = refusals;
    }

    /** Returns a stage that is complete already, unless a stored access policy has to be read. */
    CompletionStage<Grant> verify(Account account, SignedRequest request, PolicyLookup policies) {
        String version = checks.version(request, VERSION_MIN);
        KeyBounds bounds = bounds(request);
        checks.signature(request, account, List.of(stringToSign(account, version, request)));
        TableName table = new TableName(checks.required(request, "tn"));
        return sas.grant(request, table.folded(), policies).thenApply(grant -> new TableSasGrant(grant, bounds));
    }

    /**
     * An empty field differs from an absent one here, because the empty key is a legal bound. The signature does not
     * distinguish them; that is a property of the protocol.
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
        String table = checks.required(request, "tn").toLowerCase(Locale.ROOT);
        StringBuilder text = new StringBuilder(sas.textToSign(account, version, request, table));
        for (String name : List.of("sv", "spk", "srk", "epk", "erk")) {
            text.append('\n').append(checks.field(request, name));
        }
        return text.toString();
    }
}
