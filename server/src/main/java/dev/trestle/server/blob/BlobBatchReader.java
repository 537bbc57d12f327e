package dev.trestle.server.blob;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.BatchReader;
import dev.trestle.server.codec.BatchReader.MimePart;
import dev.trestle.server.codec.BatchReader.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses a batch of requests to the Blob service: multipart content with a complete request without a body in each
 * part. As tolerant of line ends, empty lines and white space as {@link BatchReader}, but rejects truncated
 * bodies, so that a batch is parsed completely or not at all.
 */
public final class BlobBatchReader {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String MULTIPART = "multipart/mixed";
    private static final int BOUNDARY_UNITS_MAX = 200;
    private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~";

    /** A request in a batch; header names are in lower case. */
    public record SubRequest(Optional<String> contentId, String method, String target, Map<String, String> headers) {}

    private BlobBatchReader() {}

    /**
     * Parses a body of the given content type.
     *
     * @throws StorageException if it is malformed or has too many requests
     */
    public static List<SubRequest> read(String contentType, byte[] data, int offset, int length) {
        List<MimePart> parts =
                BatchReader.readRequests(boundary(contentType), data, offset, length, Limits.BLOB_BATCH_REQUESTS_MAX);
        if (parts.size() > Limits.BLOB_BATCH_REQUESTS_MAX) {
            throw new StorageException(StorageError.EXCEEDS_MAX_BATCH_REQUEST_COUNT);
        }
        if (parts.isEmpty()) {
            throw malformed();
        }
        List<SubRequest> requests = new ArrayList<>(parts.size());
        for (MimePart part : parts) {
            requests.add(subRequest(part, data));
        }
        return requests;
    }

    /**
     * Returns the boundary, which may contain equals signs; some clients omit the quotes that RFC 2046 then requires.
     */
    private static String boundary(String contentType) {
        String[] parameters = contentType.split(";", -1);
        if (!parameters[0].strip().equalsIgnoreCase(MULTIPART)) {
            throw unknownType(contentType);
        }
        Optional<String> boundary = Optional.empty();
        for (int i = 1; i < parameters.length; i++) {
            int equals = parameters[i].indexOf('=');
            if (equals >= 0 && parameters[i].substring(0, equals).strip().equalsIgnoreCase("boundary")) {
                if (boundary.isPresent()) {
                    throw malformed();
                }
                boundary =
                        Optional.of(unquoted(parameters[i].substring(equals + 1).strip()));
            }
        }
        return boundary.filter(text -> !text.isEmpty() && text.length() <= BOUNDARY_UNITS_MAX)
                .orElseThrow(() -> unknownType(contentType));
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    private static SubRequest subRequest(MimePart part, byte[] data) {
        Part request = part.request();
        Map<String, String> headers = request.headers();
        boolean plain = isToken(request.method())
                && isTarget(request.target())
                && headers.entrySet().stream()
                        .allMatch(header -> isToken(header.getKey()) && isPlain(header.getValue()));
        if (!plain || hasBody(request, data)) {
            throw malformed();
        }
        Optional<String> contentId =
                Optional.ofNullable(part.mimeHeaders().get("content-id")).filter(BlobBatchReader::isPlain);
        return new SubRequest(contentId, request.method(), request.target(), headers);
    }

    /** Whether the declared length, or bytes after the headers, amount to a body. */
    private static boolean hasBody(Part request, byte[] data) {
        if (!request.header("content-length").orElse("0").equals("0")) {
            return true;
        }
        for (int i = request.bodyOffset(); i < request.bodyOffset() + request.bodyLength(); i++) {
            if (data[i] != '\r' && data[i] != '\n') {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the target is a path, with or without its first slash, and an optional query; an absolute URL would
     * name a host.
     */
    private static boolean isTarget(String target) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        return !path.isEmpty() && !path.contains("://") && target.indexOf(' ') < 0 && isPlain(target);
    }

    /** Whether the text is a method or a header name. */
    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> (c >= '0' && c <= '9')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= 'a' && c <= 'z')
                                || TOKEN_SYMBOLS.indexOf(c) >= 0);
    }

    /** Whether the text contains no control characters, which the HTTP codec ensures for other requests. */
    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> (c >= ' ' && c != 0x7F) || c == '\t');
    }

    private static StorageException unknownType(String contentType) {
        return new StorageException(StorageError.INVALID_HEADER_VALUE)
                .with("HeaderName", CONTENT_TYPE)
                .with("HeaderValue", contentType);
    }

    private static StorageException malformed() {
        return new StorageException(StorageError.INVALID_INPUT);
    }
}
