package dev.trestle.patterns;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.models.TableServiceException;

/** Reads ETags and status codes from responses of the service. */
final class Responses {
    private static final int NOT_FOUND = 404;
    private static final int FIRST_SERVER_ERROR = 500;

    private Responses() {}

    /**
     * Returns the ETag of a response, or an empty string if it has none. The SDK strips quotation marks from both ends of this
     * header, which takes only the closing one from a weak ETag; the service does not accept an ETag without it.
     */
    static String etag(Response<?> response) {
        String etag = response.getHeaders().getValue(HttpHeaderName.ETAG);
        if (etag == null || etag.endsWith("\"")) {
            return etag == null ? "" : etag;
        }
        return etag.startsWith("W/\"") ? etag + "\"" : "\"" + etag + "\"";
    }

    static boolean isNotFound(Throwable failure) {
        return failure instanceof TableServiceException error
                && error.getResponse() != null
                && error.getResponse().getStatusCode() == NOT_FOUND;
    }

    /** Returns whether the service rejected the request, so that certainly nothing was written. */
    static boolean isRejection(Throwable failure) {
        return failure instanceof TableServiceException error
                && error.getResponse() != null
                && error.getResponse().getStatusCode() < FIRST_SERVER_ERROR;
    }
}
