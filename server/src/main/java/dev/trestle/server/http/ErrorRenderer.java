package dev.trestle.server.http;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.auth.Authenticator;
import dev.trestle.server.protocol.Documents;
import dev.trestle.server.protocol.MetadataLevel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.InstantSource;
import java.util.Locale;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whatever went wrong into the service's answer; the only place where that happens. What is not a
 * {@link StorageException} is a fault of ours: logged once with its trace, answered with 500 and the same request id.
 */
final class ErrorRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorRenderer.class);

    private final InstantSource clock;
    private final String challenge;

    /** @param tenant where those without credentials are sent for a token; clients take nothing else for a tenant */
    ErrorRenderer(InstantSource clock, UUID tenant) {
        this.clock = clock;
        this.challenge = "Bearer authorization_uri=https://login.microsoftonline.com/" + tenant
                + "/oauth2/authorize resource_id=https://storage.azure.com";
    }

    /** The failure as an answer to give, whatever it was. */
    static StorageException answerFor(Throwable failure, String requestId) {
        Throwable cause = StageFailures.cause(failure);
        if (cause instanceof StorageException answer) {
            return answer;
        }
        LOG.error("Request {} failed", requestId, cause);
        return new StorageException(StorageError.INTERNAL_ERROR);
    }

    /**
     * An error of an operation on tables and entities, or of an XML document where the request deals in those. As with the
     * service, the status line has the text of the message, except that of errors of OData, which has the standard one.
     */
    Response render(Request request, Throwable failure) {
        StorageException answer = answerFor(failure, request.id());
        request.trace().failed(answer.error());
        boolean refused = request.service() == Service.TABLE && isFrontDoor(answer.error(), request);
        String message = message(text(request, answer), request.id());
        Response response = new Response(answer.status())
                .header("x-ms-error-code", answer.error().code());
        answer.headers().forEach(response::header);
        if (request.service() != Service.TABLE) {
            response.reason(reason(answer));
        }
        if (answer.status() == 304) {
            // What is not modified has no body, hence no place for an explanation.
            return response;
        }
        if (request.service() != Service.TABLE) {
            response.body("application/xml", Documents.storageError(answer, message));
        } else if (wantsXml(request)) {
            response.reason(reason(answer)).body("application/xml", Documents.xmlError(answer, message));
        } else if (refused) {
            response.reason(reason(answer)).body("application/json", Documents.jsonError(answer, message));
        } else {
            response.header("X-Content-Type-Options", "nosniff")
                    .body(MetadataLevel.MINIMAL.contentType(), Documents.jsonError(answer, message));
            if (request.storeReached() && answer.error() != StorageError.TABLE_NOT_FOUND) {
                response.header("Cache-Control", "no-cache");
                if (request.method().equals("POST")) {
                    Prefer.of(request.header("Prefer")).applied(response::header);
                }
            }
        }
        if (refused) {
            response.fromFrontDoor();
        }
        if (answer.status() == 401) {
            response.header("WWW-Authenticate", challenge);
        }
        if (answer.error().category() == StorageError.Category.OVERLOAD) {
            response.header("Retry-After", "1");
        }
        return response;
    }

    /** Errors with particulars say there why credentials do not hold, and their message is always the service's own. */
    private static String text(Request request, StorageException answer) {
        boolean apart = request.service() != Service.TABLE && answer.details().containsKey(Authenticator.DETAIL);
        return apart ? answer.error().message() : answer.text();
    }

    /** Whether the service turns this down before it looks at what the request is for. */
    private static boolean isFrontDoor(StorageError error, Request request) {
        return switch (error) {
            case INVALID_AUTHENTICATION_INFO,
                    INVALID_HEADER_VALUE,
                    INVALID_QUERY_PARAMETER_VALUE,
                    REQUEST_URL_FAILED_TO_PARSE -> true;
            default -> error.status() == 401 || (error.status() == 403 && !request.storeReached());
        };
    }

    /** An error before there is anything that could be called a request. */
    Response renderEarly(Service service, int status, String requestId, StorageException answer) {
        String message = message(answer.text(), requestId);
        return new Response(status)
                .reason(reason(answer))
                .header("x-ms-request-id", requestId)
                .header("x-ms-error-code", answer.error().code())
                .body(
                        "application/xml",
                        service == Service.TABLE
                                ? Documents.xmlError(answer, message)
                                : Documents.storageError(answer, message));
    }

    String message(String text, String requestId) {
        return text + "\nRequestId:" + requestId + "\nTime:" + Ticks.format(Ticks.of(clock.instant()), true);
    }

    /** The service's own sentence: what a developer's server adds to explain it stays out of the status line. */
    private static String reason(StorageException answer) {
        String sentence = answer.error().message();
        return answer.text().startsWith(sentence) ? sentence : answer.text();
    }

    static String reason(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }

    /** Errors follow the format of the operation: XML for documents of the service, JSON for data. */
    private static boolean wantsXml(Request request) {
        if (request.address().query().has("comp")) {
            return true;
        }
        String accept = request.header("Accept").orElse("").toLowerCase(Locale.ROOT);
        return accept.contains("xml") && !accept.contains("json");
    }
}
