package dev.trestle.server.table;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.XmlWriter;
import dev.trestle.server.pipeline.ErrorFormat;
import dev.trestle.server.pipeline.ErrorRenderer;
import dev.trestle.server.pipeline.Request;
import dev.trestle.server.pipeline.Response;
import dev.trestle.server.table.json.MetadataLevel;
import java.util.Locale;

/**
 * The error responses of the Table service: JSON for data, XML for service documents. As recorded, the status line
 * has the text of the message, except that of errors of OData, which has the standard one.
 */
public final class ODataErrorFormat implements ErrorFormat {
    @Override
    public Response render(Request request, StorageException error, String message) {
        Response response = ErrorRenderer.newResponse(error);
        boolean beforeRouting = isRefusedBeforeRouting(error.error(), request);
        if (error.status() == 304) {
            return response;
        }
        if (wantsXml(request)) {
            response.reason(ErrorRenderer.reason(error)).body("application/xml", document(error, message));
        } else if (beforeRouting) {
            response.reason(ErrorRenderer.reason(error))
                    .body("application/json", TableDocuments.jsonError(error, message));
        } else {
            response.header("X-Content-Type-Options", "nosniff")
                    .body(MetadataLevel.MINIMAL.contentType(), TableDocuments.jsonError(error, message));
            if (request.trace().storeReached() && error.error() != StorageError.TABLE_NOT_FOUND) {
                response.header("Cache-Control", "no-cache");
                if (request.method().equals("POST")) {
                    Prefer.of(request.header("Prefer")).applied(response::header);
                }
            }
        }
        return beforeRouting ? response.refusedBeforeRouting() : response;
    }

    @Override
    public byte[] document(StorageException error, String message) {
        return new XmlWriter(false)
                .open("m:error xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"")
                .element("m:code", error.error().code())
                .open("m:message xml:lang=\"en-US\"")
                .text(message)
                .close("m:message")
                .close("m:error")
                .toBytes();
    }

    /** Whether the service refuses the request before it routes it. */
    private static boolean isRefusedBeforeRouting(StorageError error, Request request) {
        return switch (error) {
            case INVALID_AUTHENTICATION_INFO,
                    INVALID_HEADER_VALUE,
                    INVALID_QUERY_PARAMETER_VALUE,
                    REQUEST_URL_FAILED_TO_PARSE -> true;
            default ->
                error.status() == 401
                        || (error.status() == 403 && !request.trace().storeReached());
        };
    }

    private static boolean wantsXml(Request request) {
        if (request.address().query().has("comp")) {
            return true;
        }
        String accept = request.header("Accept").orElse("").toLowerCase(Locale.ROOT);
        return accept.contains("xml") && !accept.contains("json");
    }
}
