package dev.trestle.server.blob;

import dev.trestle.server.codec.BoundaryName;
import dev.trestle.server.codec.WireBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Writes the multipart response to a batch of requests to the Blob service, byte for byte as the service lays it
 * out: for each request {@link #part}, its {@link #header}s and, where it has one, its {@link #document}. A part
 * without a body ends with the line of its last header.
 */
public final class BlobBatchWriter {
    private static final String END = "\r\n";
    private static final int BYTES_ESTIMATE = 768;

    private final String boundary = "batchresponse_" + BoundaryName.random();
    private final WireBuffer out;
    private boolean begun;

    /** @param parts the expected number of parts */
    public BlobBatchWriter(int parts) {
        this.out = new WireBuffer(BYTES_ESTIMATE * parts);
    }

    public String contentType() {
        return "multipart/mixed; boundary=" + boundary;
    }

    public BlobBatchWriter part(Optional<String> contentId, int status, String reason) {
        delimiter();
        out.ascii(END);
        header("Content-Type", "application/http");
        contentId.ifPresent(id -> header("Content-ID", id));
        out.ascii(END)
                .ascii("HTTP/1.1 ")
                .number(status)
                .octet(' ')
                .ascii(reason)
                .ascii(END);
        return this;
    }

    public BlobBatchWriter header(String name, String value) {
        // One byte per character, as header values are decoded.
        out.ascii(name)
                .ascii(": ")
                .raw(value.getBytes(StandardCharsets.ISO_8859_1))
                .ascii(END);
        return this;
    }

    /** Ends a part with a document, after headers for its length and type and a last header. */
    public void document(byte[] document, String type, String name, String value) {
        int start = afterDeclaration(document);
        header("Content-Length", Integer.toString(document.length + 1))
                .header("Content-Type", type)
                .header(name, value);
        // As recorded, there is a line end after the XML declaration, only in batches.
        out.ascii(END).raw(document, 0, start).octet('\n').raw(document, start, document.length - start);
    }

    private static int afterDeclaration(byte[] document) {
        for (int i = 1; i < document.length; i++) {
            if (document[i - 1] == '?' && document[i] == '>') {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("an XML document begins with a declaration");
    }

    /** Ends the document and returns it. */
    public WireBuffer end() {
        delimiter();
        return out.ascii("--");
    }

    private void delimiter() {
        if (begun) {
            out.ascii(END);
        }
        begun = true;
        out.ascii("--").ascii(boundary);
    }
}
