package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A minimal client of one container on one connection, for tests with many requests, or with requests that the SDK
 * does not send. Contents are ASCII. After an {@link IOException} the outcome of the last request is unknown.
 */
final class BlobConnection implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("<Name>([^<]*)</Name>");
    private static final Pattern NEXT = Pattern.compile("<NextMarker>([^<]+)</NextMarker>");

    private final RawConnection connection;
    private final String container;

    BlobConnection(TrestleProcess server, String container) throws IOException {
        this.connection = new RawConnection(server.blobPort());
        this.container = container;
    }

    int create() throws IOException {
        return ask("PUT", "?restype=container").status();
    }

    int put(String blob, byte[] content) throws IOException {
        return exchange(RawRequest.putBlob(path(blob), content)).status();
    }

    int putBlock(String blob, String id, byte[] content) throws IOException {
        return exchange(RawRequest.ofBlob("PUT", path(blob) + "?comp=block&blockid=" + escaped(id))
                        .body(content))
                .status();
    }

    int commit(String blob, List<String> ids) throws IOException {
        StringBuilder xml = new StringBuilder("<BlockList>");
        ids.forEach(id -> xml.append("<Latest>").append(base64(id)).append("</Latest>"));
        return exchange(RawRequest.ofBlob("PUT", path(blob) + "?comp=blocklist")
                        .xml(xml.append("</BlockList>").toString()))
                .status();
    }

    int createAppend(String blob) throws IOException {
        return exchange(RawRequest.ofBlob("PUT", path(blob))
                        .with("x-ms-blob-type", "AppendBlob")
                        .with("If-None-Match", "*")
                        .body(new byte[0]))
                .status();
    }

    int append(String blob, byte[] content) throws IOException {
        return exchange(RawRequest.ofBlob("PUT", path(blob) + "?comp=appendblock")
                        .body(content))
                .status();
    }

    /** Appends on condition that the blob has this ETag and this length. */
    int appendTo(String blob, String etag, int length, byte[] content) throws IOException {
        return exchange(RawRequest.ofBlob("PUT", path(blob) + "?comp=appendblock")
                        .with("If-Match", etag)
                        .with("x-ms-blob-condition-appendpos", Integer.toString(length))
                        .body(content))
                .status();
    }

    /** Takes a snapshot and returns its time. */
    String snapshot(String blob) throws IOException {
        RawResponse answer = ask("PUT", "/" + blob + "?comp=snapshot");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("x-ms-snapshot").orElseThrow();
    }

    /** Deletes a blob and its snapshots. */
    int delete(String blob) throws IOException {
        return exchange(RawRequest.ofBlob("DELETE", path(blob)).with("x-ms-delete-snapshots", "include"))
                .status();
    }

    /** The response to a read: found or not. */
    RawResponse get(String blob) throws IOException {
        return ask("GET", "/" + blob);
    }

    /** The ids of blocks that were sent and are part of no blob, with their sizes. */
    List<String> uncommitted(String blob) throws IOException {
        RawResponse answer = ask("GET", "/" + blob + "?comp=blocklist&blocklisttype=uncommitted");
        assertThat(answer.status()).as(answer.text()).isIn(200, 404);
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("<Block><Name>([^<]*)</Name><Size>(\\d+)</Size></Block>")
                .matcher(answer.body());
        while (block.find()) {
            byte[] id = Base64.getDecoder().decode(block.group(1));
            blocks.add(new String(id, StandardCharsets.UTF_8) + " " + block.group(2));
        }
        return blocks;
    }

    /** Returns the names of all blobs, on request including those with uncommitted blocks only. */
    List<String> names(String include) throws IOException {
        List<String> names = new ArrayList<>();
        String marker = "";
        do {
            RawResponse answer = ask("GET", "?restype=container&comp=list&include=" + include + "&marker=" + marker);
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            Matcher name = NAME.matcher(answer.body());
            while (name.find()) {
                names.add(name.group(1));
            }
            Matcher next = NEXT.matcher(answer.body());
            marker = next.find() ? next.group(1) : "";
        } while (!marker.isEmpty());
        return names;
    }

    RawResponse exchange(RawRequest request) throws IOException {
        return connection.exchange(request);
    }

    String path(String blob) {
        return "/" + container + "/" + blob;
    }

    private RawResponse ask(String method, String path) throws IOException {
        RawRequest request = RawRequest.ofBlob(method, "/" + container + path);
        return exchange(method.equals("PUT") ? request.body(new byte[0]) : request);
    }

    private static String base64(String id) {
        return Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.UTF_8));
    }

    static String escaped(String id) {
        return base64(id).replace("+", "%2B").replace("/", "%2F").replace("=", "%3D");
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
