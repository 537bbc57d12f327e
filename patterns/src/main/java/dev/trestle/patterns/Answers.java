package dev.trestle.patterns;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.models.TableServiceException;

/** What is read from the service's answers. */
final class Answers {
    private static final int NOT_FOUND = 404;
    private static final int FIRST_FAILURE_OF_THE_SERVER = 500;

    private Answers() {}

    /**
     * The ETag of an answer, or an empty text if it has none. The SDK takes the quotation marks from the ends of this header,
     * and so from a weak ETag only the last; without it the service would not take the ETag back.
     */
    static String etag(Response<?> response) {
        String etag = response.getHeaders().getValue(HttpHeaderName.ETAG);
        if (etag == null || etag.endsWith("\"")) {
            return etag == null ? "" : etag;
        }
        return etag.startsWith("W/\"") ? etag + "\"" : "\"" + etag + "\"";
    }

    static boolean isMissing(Throwable failure) {
        return failure instanceof TableServiceException refused
                && refused.getResponse() != null
                && refused.getResponse().getStatusCode() == NOT_FOUND;
    }

    /** Whether the service said no, so that it is known that nothing was written. */
    static boolean isRefusal(Throwable failure) {
        return failure instanceof TableServiceException refused
                && refused.getResponse() != null
                && refused.getResponse().getStatusCode() < FIRST_FAILURE_OF_THE_SERVER;
    }
}
