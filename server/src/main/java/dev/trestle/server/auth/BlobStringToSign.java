package dev.trestle.server.auth;

import dev.trestle.catalogue.Service;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the string to sign of a SAS of the Blob service for each protocol version, signed with an account key or a
 * user delegation key.
 */
final class BlobStringToSign {
    private static final String VERSION_THAT_SIGNS_ITSELF = "2012-02-12";
    private static final String VERSION_WITH_HEADERS = "2013-08-15";
    private static final String VERSION_WITH_SNAPSHOT = "2018-11-09";
    private static final String VERSION_WITH_AGENTS = "2020-02-10";
    private static final String VERSION_WITH_ENCRYPTION_SCOPE = "2020-12-06";
    private static final String VERSION_WITH_DELEGATED_USER = "2025-07-05";
    private static final String VERSION_WITH_REQUEST = "2026-04-06";

    private final ServiceSas sas;
    private final SasChecks checks;

    BlobStringToSign(ServiceSas sas, SasChecks checks) {
        this.sas = sas;
        this.checks = checks;
    }

    /** Whether the resource kind and the snapshot are signed. */
    static boolean signsSnapshot(String version) {
        return version.compareTo(VERSION_WITH_SNAPSHOT) >= 0;
    }

    String byAccount(Account account, String version, SignedRequest request, BlobScope scope) {
        List<String> lines = new ArrayList<>();
        lines.add(sas.textToSign(account, version, request, scope.path()));
        if (version.compareTo(VERSION_THAT_SIGNS_ITSELF) >= 0) {
            lines.add(version);
        }
        if (signsSnapshot(version)) {
            lines.add(scope.kind().word());
            lines.add(scope.snapshot());
        }
        if (version.compareTo(VERSION_WITH_ENCRYPTION_SCOPE) >= 0) {
            lines.add(checks.field(request, "ses"));
        }
        addHeaders(lines, version, request);
        return String.join("\n", lines);
    }

    String byDelegate(Account account, String version, SignedRequest request, BlobScope scope) {
        List<String> lines = new ArrayList<>();
        add(lines, request, "sp", "st", "se");
        lines.add('/' + Service.BLOB.word() + '/' + account.name() + '/' + scope.path());
        add(lines, request, "skoid", "sktid", "skt", "ske", "sks", "skv");
        addSince(lines, version, VERSION_WITH_AGENTS, request, "saoid", "suoid", "scid");
        addSince(lines, version, VERSION_WITH_DELEGATED_USER, request, "skdutid", "sduoid");
        add(lines, request, "sip", "spr");
        lines.add(version);
        lines.add(scope.kind().word());
        lines.add(scope.snapshot());
        addSince(lines, version, VERSION_WITH_ENCRYPTION_SCOPE, request, "ses");
        addSince(lines, version, VERSION_WITH_REQUEST, request, "srh", "srq");
        addHeaders(lines, version, request);
        return String.join("\n", lines);
    }

    private void addHeaders(List<String> lines, String version, SignedRequest request) {
        addSince(lines, version, VERSION_WITH_HEADERS, request, "rscc", "rscd", "rsce", "rscl", "rsct");
    }

    private void add(List<String> lines, SignedRequest request, String... names) {
        for (String name : names) {
            lines.add(checks.field(request, name));
        }
    }

    private void addSince(List<String> lines, String version, String since, SignedRequest request, String... names) {
        for (String name : names) {
            String value = checks.fieldSince(request, name, version, since);
            if (version.compareTo(since) >= 0) {
                lines.add(value);
            }
        }
    }
}
