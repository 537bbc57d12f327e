package dev.trestle.server.auth;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Verifies a SAS for one queue, the one that the path of the request names. */
final class QueueSas {
    private static final String VERSION_MIN = "2009-09-19";
    private static final String VERSION_THAT_SIGNS_ITSELF = "2012-02-12";

    private final ServiceSas sas;
    private final SasChecks checks;
    private final Refusals refusals;

    QueueSas(ServiceSas sas, SasChecks checks, Refusals refusals) {
        this.sas = sas;
        this.checks = checks;
        this.refusals = refusals;
    }

    /** Returns a stage that is complete already, unless a stored access policy has to be read. */
    CompletionStage<Grant> verify(Account account, SignedRequest request, PolicyLookup policies) {
        String version = checks.version(request, VERSION_MIN);
        String queue = queue(request);
        String text = sas.textToSign(account, version, request, queue);
        if (version.compareTo(VERSION_THAT_SIGNS_ITSELF) >= 0) {
            text += '\n' + version;
        }
        checks.signature(request, account, List.of(text));
        return sas.grant(request, queue, policies).thenApply(grant -> grant);
    }

    private String queue(SignedRequest request) {
        String queue = request.resourceName();
        if (queue.isEmpty()) {
            throw refusals.unauthenticated(
                    "The signature is for a queue, and the address names none.", ServiceSas.WRONG_LEVEL);
        }
        return checks.singleLine("the name of the queue", queue);
    }
}
