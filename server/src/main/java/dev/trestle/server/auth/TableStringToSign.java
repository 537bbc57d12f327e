package dev.trestle.server.auth;

import java.util.List;

/** Builds the Shared Key string to sign of requests to the Table service: few headers, and always the date. */
final class TableStringToSign {

    private TableStringToSign() {}

    /** Returns the texts to try, because clients differ in the path on the secondary. */
    static List<String> texts(SharedKey.Form form, SignedRequest request, String date) {
        String head = switch (form) {
            case FULL ->
                request.method()
                        + '\n'
                        + request.headerOrEmpty("content-md5")
                        + '\n'
                        + request.headerOrEmpty("content-type")
                        + '\n'
                        + date
                        + '\n';
            case LITE -> date + '\n';
        };
        return CanonicalResource.texts(head, request, CanonicalResource.component(request.query()));
    }
}
