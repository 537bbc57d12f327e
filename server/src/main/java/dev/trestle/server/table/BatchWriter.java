package dev.trestle.server.table;

import dev.trestle.server.codec.BoundaryName;
import dev.trestle.server.codec.WireBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the multipart response to a batch, line for line as the service does. Calls: for each part {@link #part},
 * its {@link #header}s and then {@link #body} or {@link #noBody}; finally {@link #end}.
 */
public final class BatchWriter {
    private static final String END = "\r\n";
    private static final int BYTES_ESTIMATE = 512;
    private static final byte[] NO_BODY = {};

    private final String batchBoundary = "batchresponse_" + BoundaryName.random();
    private final boolean changeSet;
    private final String boundary;
    private final byte[] beforePart;
    private final WireBuffer out;

    /**
     * Creates a writer.
     *
     * @param changeSet whether the parts are a change set, or a single read
     * @param parts the expected number of parts
     */
    public BatchWriter(boolean changeSet, int parts) {
        this.changeSet = changeSet;
        this.boundary = changeSet ? "changesetresponse_" + BoundaryName.random() : batchBoundary;
        this.beforePart = ("--" + boundary
                        + "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 ")
                .getBytes(StandardCharsets.US_ASCII);
        this.out = new WireBuffer(BYTES_ESTIMATE * (parts + 1));
        if (changeSet) {
            line("--" + batchBoundary);
            line("Content-Type: multipart/mixed; boundary=" + boundary);
            line("");
        }
    }

    public String contentType() {
        return "multipart/mixed; boundary=" + batchBoundary;
    }

    public BatchWriter part(int status, String reason) {
        out.raw(beforePart).number(status).octet(' ').ascii(reason).ascii(END);
        return this;
    }

    public BatchWriter header(String name, String value) {
        out.ascii(name).ascii(": ").utf8(value).ascii(END);
        return this;
    }

    /** Ends a part without a body. */
    public void noBody() {
        body(NO_BODY, 0);
    }

    /** Ends a part with a body, the first bytes of an array. */
    public void body(byte[] bytes, int length) {
        out.ascii(END).raw(bytes, 0, length).ascii(END);
    }

    /** Ends the document and returns it. */
    public WireBuffer end() {
        line("--" + boundary + "--");
        if (changeSet) {
            line("--" + batchBoundary + "--");
        }
        return out;
    }

    private void line(String text) {
        out.ascii(text).ascii(END);
    }
}
