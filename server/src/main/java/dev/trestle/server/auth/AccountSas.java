package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import dev.trestle.model.StorageError;
import java.util.ArrayList;
import java.util.List;

/** Verifies account SAS: "Create an account SAS". */
final class AccountSas {
    private static final String VERSION_MIN = "2015-04-05";
    private static final String VERSION_WITH_ENCRYPTION_SCOPE = "2020-12-06";

    private final SasChecks checks;
    private final Refusals refusals;

    AccountSas(SasChecks checks, Refusals refusals) {
        this.checks = checks;
        this.refusals = refusals;
    }

    Grant verify(Account account, SignedRequest request) {
        String version = checks.version(request, VERSION_MIN);
        String services = checks.required(request, "ss");
        String resourceTypes = checks.required(request, "srt");
        String permissions = checks.required(request, "sp");
        if (request.query().has("si")) {
            throw refusals.unauthenticated("An account SAS cannot name a stored policy.");
        }
        checks.signature(request, account, stringsToSign(account, version, request));
        if (request.service() == Service.BLOB) {
            checks.rejectUnsupported(request, "ses");
        }
        checks.validity(checks.time(request, "st"), checks.time(request, "se"));
        checks.source(request);
        checks.protocol(request);
        char service = request.service().word().charAt(0);
        if (services.indexOf(service) < 0) {
            throw refusals.refuse(
                    StorageError.AUTHORIZATION_SERVICE_MISMATCH, "The field ss does not have '" + service + "'.");
        }
        return new AccountSasGrant(resourceTypes, permissions, refusals);
    }

    private List<String> stringsToSign(Account account, String version, SignedRequest request) {
        StringBuilder text = new StringBuilder(account.name()).append('\n');
        for (String name : List.of("sp", "ss", "srt", "st", "se", "sip", "spr", "sv")) {
            text.append(checks.field(request, name)).append('\n');
        }
        String withoutScope = text.toString();
        String scope = checks.field(request, "ses");
        if (version.compareTo(VERSION_WITH_ENCRYPTION_SCOPE) < 0) {
            if (!scope.isEmpty()) {
                throw refusals.unauthenticated("The field ses needs sv from " + VERSION_WITH_ENCRYPTION_SCOPE + " on.");
            }
            return List.of(withoutScope);
        }
        List<String> texts = new ArrayList<>();
        texts.add(withoutScope + scope + '\n');
        if (scope.isEmpty()) {
            // The table SDKs omit the line in every version. A scope that is present has to be signed.
            texts.add(withoutScope);
        }
        return texts;
    }
}
