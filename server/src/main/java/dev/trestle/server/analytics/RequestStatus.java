package dev.trestle.server.analytics;

import dev.trestle.model.StorageError;
import dev.trestle.server.pipeline.RequestSummary;

/** How a request ended, in the words of "Storage Analytics logged operations and status messages". */
enum RequestStatus {
    SUCCESS("Success", true, true),
    THROTTLING_ERROR("ThrottlingError", false, false),
    CLIENT_TIMEOUT_ERROR("ClientTimeoutError", true, true),
    SERVER_TIMEOUT_ERROR("ServerTimeoutError", false, true),
    CLIENT_OTHER_ERROR("ClientOtherError", true, true),
    SERVER_OTHER_ERROR("ServerOtherError", false, true),
    AUTHORIZATION_ERROR("AuthorizationError", true, true),
    NETWORK_ERROR("NetworkError", true, true);

    private final String word;
    private final boolean billable;
    private final boolean applicable;

    RequestStatus(String word, boolean billable, boolean applicable) {
        this.word = word;
        this.billable = billable;
        this.applicable = applicable;
    }

    static RequestStatus of(RequestSummary request) {
        int status = request.status();
        if (status == RequestSummary.CLIENT_GONE) {
            return NETWORK_ERROR;
        } else if (status < 300) {
            return SUCCESS;
        } else if (status == 401 || status == 403) {
            return AUTHORIZATION_ERROR;
        } else if (status < 500) {
            return CLIENT_OTHER_ERROR;
        } else if (status == 503) {
            return THROTTLING_ERROR;
        } else if (request.error()
                .filter(StorageError.OPERATION_TIMED_OUT::equals)
                .isPresent()) {
            // A client that sets its own limit is taken to have expected it.
            return request.query().has("timeout") ? CLIENT_TIMEOUT_ERROR : SERVER_TIMEOUT_ERROR;
        }
        return SERVER_OTHER_ERROR;
    }

    String word() {
        return word;
    }

    /** Whether the service would charge for it, which here only makes up a sum. */
    boolean isBillable(CredentialKind requester) {
        return billable && !isStranger(requester);
    }

    /** Whether it counts when it is asked how available the service was. */
    boolean isApplicable(CredentialKind requester) {
        return applicable && !isStranger(requester);
    }

    private boolean isStranger(CredentialKind requester) {
        return this == AUTHORIZATION_ERROR && requester == CredentialKind.ANONYMOUS;
    }

    /** Of those who do not say who they are, only what the service has done or failed to do is logged. */
    boolean isLogged(CredentialKind requester, int httpStatus) {
        return requester != CredentialKind.ANONYMOUS
                || switch (this) {
                    case SUCCESS, SERVER_OTHER_ERROR, CLIENT_TIMEOUT_ERROR, SERVER_TIMEOUT_ERROR -> true;
                    case CLIENT_OTHER_ERROR -> httpStatus == 304;
                    case THROTTLING_ERROR, AUTHORIZATION_ERROR, NETWORK_ERROR -> false;
                };
    }
}
