package dev.trestle.benchmarks.load;

import dev.trestle.benchmarks.load.Request.Counted;
import java.util.SplittableRandom;

/** The requests of the Blob protocol, as the SDKs write them. Belongs to one connection, as a {@link Dialect} does. */
final class BlobDialect {
    /** The length of each blob. */
    static final int BLOB_BYTES = 4096;

    private static final String OCTETS = "application/octet-stream";
    private static final String BLOCK_BLOB = "x-ms-blob-type:BlockBlob";
    private static final byte[] CONTENT = content();

    private final StorageHead head;
    private final String path;
    private final Request request = new Request();

    BlobDialect(Endpoint endpoint, String container) {
        this.head = new StorageHead(endpoint);
        this.path = endpoint.basePath() + "/" + container;
    }

    /** Random bytes, which do not compress. */
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

    /** Lists a page of blobs by name prefix. */
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
        head.write(request, method, target, query, contentType, header);
        return request.expect(status, counted, count);
    }
}
