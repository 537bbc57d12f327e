package dev.trestle.server.pipeline;

import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.InstantSource;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns failures into error responses. A failure that is not a {@link StorageException} is a bug: it is logged
 * once with its stack trace, and the response is 500 with the same request id.
 */
public final class ErrorRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorRenderer.class);

    private final ErrorFormat format;
    private final InstantSource clock;
    private final String challenge;

    /** @param tenant the tenant in the challenge of 401 responses; clients accept nothing but a tenant id there */
    public ErrorRenderer(ErrorFormat format, InstantSource clock, UUID tenant) {
        this.format = format;
        this.clock = clock;
        this.challenge = "Bearer authorization_uri=https://login.microsoftonline.com/" + tenant
                + "/oauth2/authorize resource_id=https://storage.azure.com";
    }

    /** Returns the failure as the error to respond with. */
    public static StorageException toError(Throwable failure, String requestId) {
        Throwable cause = StageFailures.cause(failure);
        if (cause instanceof StorageException error) {
            return error;
        }
        LOG.error("Request failed: request={}", requestId, cause);
        return new StorageException(StorageError.INTERNAL_ERROR);
    }

    /** Returns the response to a failed request. */
    Response render(Request request, Throwable failure) {
        StorageException error = toError(failure, request.id());
        request.trace().failed(error.error());
        Response response = format.render(request, error, message(clock, format.text(error), request.id()));
        if (error.status() == 304) {
            return response;
        }
        if (error.status() == 401) {
            response.header("WWW-Authenticate", challenge);
        }
        if (error.error().category() == StorageError.Category.OVERLOAD) {
            response.header("Retry-After", "1");
        }
        return response;
    }

    /** Returns the response to a message that could not be parsed as a request. */
    public Response renderUnreadable(int status, String requestId, StorageException error) {
        String message = message(clock, error.text(), requestId);
        return new Response(status)
                .reason(reason(error))
                .header("x-ms-request-id", requestId)
                .header("x-ms-error-code", error.error().code())
                .body("application/xml", format.document(error, message));
    }

    /** Creates an error response with the status, the code and the headers of the error. */
    public static Response newResponse(StorageException error) {
        Response response = new Response(error.status())
                .header("x-ms-error-code", error.error().code());
        error.headers().forEach(response::header);
        return response;
    }

    /** Returns an error message with the request id and the time, as the service does. */
    public static String message(InstantSource clock, String text, String requestId) {
        return text + "\nRequestId:" + requestId + "\nTime:" + Ticks.format(Ticks.of(clock.instant()), true);
    }

    /** Returns the reason phrase of an error: the standard message without an explanation for developers. */
    public static String reason(StorageException error) {
        String sentence = error.error().message();
        return error.text().startsWith(sentence) ? sentence : error.text();
    }

    /** Returns the standard reason phrase. */
    public static String reason(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }
}
