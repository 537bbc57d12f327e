package dev.trestle.server.auth;

import dev.trestle.model.TableName;
import dev.trestle.server.codec.QueryParameters;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/** Checks signatures over one table, which is named by a field of its own, and perhaps over a range of its keys. */
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

    /** Answers at once, except that a signature which names a policy waits for it to be found. */
    CompletionStage<Grant> verify(Account account, SignedRequest request, PolicyLookup policies) {
        String version = checks.version(request, VERSION_MIN);
        KeyBounds bounds = bounds(request);
        checks.signature(request, account, List.of(stringToSign(account, version, request)));
        TableName table = new TableName(checks.required(request, "tn"));
        return sas.grant(request, table.folded(), policies).thenApply(grant -> new TableSasGrant(grant, bounds));
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
        String table = checks.required(request, "tn").toLowerCase(Locale.ROOT);
        StringBuilder text = new StringBuilder(sas.textToSign(account, version, request, table));
        for (String name : List.of("sv", "spk", "srk", "epk", "erk")) {
            text.append('\n').append(checks.field(request, name));
        }
        return text.toString();
    }
}
