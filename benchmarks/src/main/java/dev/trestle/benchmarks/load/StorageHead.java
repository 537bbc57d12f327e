package dev.trestle.benchmarks.load;

import java.util.Optional;

/** Encodes the heads of Queue and Blob requests, as the SDKs write them. Confined to one connection. */
final class StorageHead {
    private static final String VERSION = "2026-04-06";

    private final String host;
    private final String sas;
    private final Optional<SharedKeyLite> signer;

    StorageHead(Endpoint endpoint) {
        this.host = endpoint.address().hostAndPort();
        this.signer = endpoint.credential().newSigner();
        this.sas = endpoint.credential().query();
    }

    /**
     * Writes the head of a request whose body is written already.
     *
     * @param query without a shared access signature
     * @param contentType empty when there is no body
     * @param header an {@code x-ms-} header that sorts before the date, without blanks, or an empty text
     */
    void write(Request request, String method, String target, String query, String contentType, String header) {
        String wholeQuery = query.isEmpty() || sas.isEmpty() ? query + sas : query + "&" + sas;
        String resource = target + (query.contains("comp=list") ? "?comp=list" : "");
        request.newHead()
                .text(method)
                .text(" ")
                .text(target)
                .text(wholeQuery.isEmpty() ? "" : "?")
                .text(wholeQuery)
                .text(" HTTP/1.1\r\nHost: ")
                .text(host)
                .text("\r\nx-ms-version: " + VERSION + "\r\n")
                .text(contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n")
                .text(header.isEmpty() ? "" : header + "\r\n")
                // Some services require the length of an empty body.
                .text(method.equals("PUT") && contentType.isEmpty() ? "Content-Length: 0\r\n" : "")
                .text(signer.map(lite -> lite.headers(method, contentType, header, VERSION, resource))
                        .orElse(""));
    }
}
