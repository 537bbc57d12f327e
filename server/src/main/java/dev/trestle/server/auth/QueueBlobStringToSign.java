package dev.trestle.server.auth;

import java.util.ArrayList;
import java.util.List;

/**
 * Builds the Shared Key string to sign of requests to the Queue and Blob services. It has the standard headers, all
 * {@code x-ms-} headers and all parameters. The date is signed in {@code x-ms-date} if present, else in a line of its
 * own.
 *
 * <p>Clients differ in some points, so there may be several texts to try; an ordinary request has one.
 */
final class QueueBlobStringToSign {
    private static final String VERSION_WITHOUT_ZERO_LENGTH = "2015-02-21";

    private QueueBlobStringToSign() {}

    static List<String> texts(SharedKey.Form form, SignedRequest request) {
        List<String> heads = switch (form) {
            case FULL -> heads(request);
            case LITE -> List.of(liteHead(request));
        };
        List<String> parameters = switch (form) {
            case FULL -> CanonicalResource.parameters(request.query());
            case LITE -> List.of(CanonicalResource.component(request.query()));
        };
        List<String> headers = CanonicalHeaders.blocks(request);
        List<String> texts = new ArrayList<>();
        for (String head : heads) {
            for (String block : headers) {
                for (String tail : parameters) {
                    texts.addAll(CanonicalResource.texts(head + block, request, tail));
                }
            }
        }
        return texts;
    }

    /** The documentation puts the encoding before the language; some clients do the reverse. */
    private static List<String> heads(SignedRequest request) {
        String encoding = request.headerOrEmpty("content-encoding");
        String language = request.headerOrEmpty("content-language");
        String documented = head(request, encoding, language);
        return encoding.equals(language) ? List.of(documented) : List.of(documented, head(request, language, encoding));
    }

    private static String head(SignedRequest request, String first, String second) {
        return lines(
                request.method(),
                first,
                second,
                length(request),
                request.headerOrEmpty("content-md5"),
                request.headerOrEmpty("content-type"),
                date(request),
                request.headerOrEmpty("if-modified-since"),
                request.headerOrEmpty("if-match"),
                request.headerOrEmpty("if-none-match"),
                request.headerOrEmpty("if-unmodified-since"),
                request.headerOrEmpty("range"));
    }

    private static String liteHead(SignedRequest request) {
        return lines(
                request.method(),
                request.headerOrEmpty("content-md5"),
                request.headerOrEmpty("content-type"),
                date(request));
    }

    private static String length(SignedRequest request) {
        String length = request.headerOrEmpty("content-length");
        boolean zeroIsEmpty = request.headerOrEmpty("x-ms-version").compareTo(VERSION_WITHOUT_ZERO_LENGTH) >= 0;
        return zeroIsEmpty && length.equals("0") ? "" : length;
    }

    private static String date(SignedRequest request) {
        return request.headerOrEmpty("x-ms-date").isEmpty() ? request.headerOrEmpty("date") : "";
    }

    private static String lines(String... values) {
        return String.join("\n", values) + '\n';
    }
}
