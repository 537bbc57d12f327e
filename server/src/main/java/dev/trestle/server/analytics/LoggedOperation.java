package dev.trestle.server.analytics;

import dev.trestle.server.http.RequestSummary;
import java.util.Locale;
import java.util.Set;

/** The names that operations have in logs and metrics, where those differ from the names they have in the protocol. */
final class LoggedOperation {
    private static final Set<String> LEASE_ACTIONS = Set.of("Acquire", "Break", "Change", "Release", "Renew");

    private LoggedOperation() {}

    static String name(RequestSummary request) {
        String service = capitalized(request.service().word());
        return switch (request.operation()) {
            case GET_ENTITY -> "QueryEntity";
            case GET_TABLE -> "QueryTable";
            case GET_SERVICE_PROPERTIES -> "Get" + service + "ServiceProperties";
            case GET_SERVICE_STATS -> "Get" + service + "ServiceStats";
            case SET_SERVICE_PROPERTIES -> "Set" + service + "ServiceProperties";
            case PREFLIGHT -> service + "PreflightRequest";
            case LEASE_BLOB -> lease(request, "BlobLease");
            case LEASE_CONTAINER -> lease(request, "ContainerLease");
            default -> request.operation().toString();
        };
    }

    private static String lease(RequestSummary request, String on) {
        String action = request.details().header("x-ms-lease-action").orElse("").strip();
        String word = action.isEmpty() ? "" : capitalized(action.toLowerCase(Locale.ROOT));
        return LEASE_ACTIONS.contains(word) ? word + on : request.operation().toString();
    }

    static String capitalized(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
