package dev.trestle.server.analytics;

import dev.trestle.model.StorageError;
import dev.trestle.server.pipeline.RequestSummary;

/** The outcome of a request as in "Storage Analytics logged operations and status messages". */
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
            // With a timeout parameter, the client caused the timeout.
            return request.query().has("timeout") ? CLIENT_TIMEOUT_ERROR : SERVER_TIMEOUT_ERROR;
        }
        return SERVER_OTHER_ERROR;
    }

    String word() {
        return word;
    }

    /** Whether the service would bill the request. */
    boolean isBillable(CredentialKind credential) {
        return billable && !isUnauthorizedAnonymous(credential);
    }

    /** Whether the request counts for availability. */
    boolean isApplicable(CredentialKind credential) {
        return applicable && !isUnauthorizedAnonymous(credential);
    }

    private boolean isUnauthorizedAnonymous(CredentialKind credential) {
        return this == AUTHORIZATION_ERROR && credential == CredentialKind.ANONYMOUS;
    }

    /** Whether the request is logged. Of anonymous requests, only successes and failures of the server are. */
    boolean isLogged(CredentialKind credential, int httpStatus) {
        return credential != CredentialKind.ANONYMOUS
                || switch (this) {
                    case SUCCESS, SERVER_OTHER_ERROR, CLIENT_TIMEOUT_ERROR, SERVER_TIMEOUT_ERROR -> true;
                    case CLIENT_OTHER_ERROR -> httpStatus == 304;
                    case THROTTLING_ERROR, AUTHORIZATION_ERROR, NETWORK_ERROR -> false;
                };
    }
}
