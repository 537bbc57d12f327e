package dev.trestle.server.table;

import dev.trestle.server.codec.BoundaryName;
import dev.trestle.server.codec.WireBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the multipart answer to a batch, line for line as the service lays it out: for each part {@link #part}, its
 * {@link #header}s and then {@link #body}, and {@link #end} after the last.
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
     * @param changeSet whether the parts answer a change set, or one answers a request outside of one
     * @param parts about how many there will be
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

    /** Ends a part that has none. */
    public void noBody() {
        body(NO_BODY, 0);
    }

    /** Ends a part with the first bytes of the array. */
    public void body(byte[] bytes, int length) {
        out.ascii(END).raw(bytes, 0, length).ascii(END);
    }

    /** The whole answer. */
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
