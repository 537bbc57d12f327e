package dev.trestle.benchmarks.load;

import dev.trestle.benchmarks.load.Request.Counted;
import java.util.Optional;
import java.util.SplittableRandom;

/** The requests of the Blob protocol, as the SDKs write them. Belongs to one connection, as a {@link Dialect} does. */
final class BlobDialect {
    /** Of each blob. */
    static final int BLOB_BYTES = 4096;

    private static final String VERSION = "2026-04-06";
    private static final String OCTETS = "application/octet-stream";
    private static final String BLOCK_BLOB = "x-ms-blob-type:BlockBlob";
    private static final byte[] CONTENT = content();

    private final String host;
    private final String path;
    private final String sas;
    private final Optional<SharedKeyLite> signer;
    private final Request request = new Request();

    BlobDialect(Endpoint endpoint, String container) {
        this.host = endpoint.address().hostAndPort();
        this.path = endpoint.basePath() + "/" + container;
        this.signer = endpoint.credential().newSigner();
        this.sas = endpoint.credential().query();
    }

    /** Bytes that nobody can make shorter. */
    private static byte[] content() {
        byte[] content = new byte[BLOB_BYTES];
        new SplittableRandom(1).nextBytes(content);
        return content;
    }

    Request create() {
        request.newBody();
        return finish("PUT", path, "restype=container", "", "", 201, Counted.NOTHING, 0);
    }

    Request delete() {
        request.newBody();
        return finish("DELETE", path, "restype=container", "", "", 202, Counted.NOTHING, 0);
    }

    Request put(String name) {
        request.newBody().bytes(CONTENT);
        return finish("PUT", path + "/" + name, "", OCTETS, BLOCK_BLOB, 201, Counted.NOTHING, 0);
    }

    Request get(String name) {
        request.newBody();
        return finish("GET", path + "/" + name, "", "", "", 200, Counted.BYTES, BLOB_BYTES);
    }

    /** A page of the blobs whose names begin so. */
    Request list(String prefix, int blobs) {
        request.newBody();
        String query = "restype=container&comp=list&maxresults=" + blobs + "&prefix=" + prefix.replace("/", "%2F");
        return finish("GET", path, query, "", "", 200, Counted.BLOBS, blobs);
    }

    private Request finish(
            String method,
            String target,
            String query,
            String contentType,
            String header,
            int status,
            Counted counted,
            int count) {
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
                // Some services want to be told that nothing comes.
                .text(method.equals("PUT") && header.isEmpty() ? "Content-Length: 0\r\n" : "")
                .text(signer.map(lite -> lite.headers(method, contentType, header, VERSION, resource))
                        .orElse(""));
        return request.expect(status, counted, count);
    }
}
