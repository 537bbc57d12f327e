package dev.trestle.server.protocol;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Writes the multipart answer to a batch, line for line as the service lays it out. */
public final class BatchWriter {
    private static final String END = "\r\n";
    private static final int BYTES_ESTIMATE = 256;

    private final String batchBoundary = "batchresponse_" + UUID.randomUUID();
    private final WireBuffer out;

    /** Prepares for about this many answers. */
    public BatchWriter(int parts) {
        out = new WireBuffer(BYTES_ESTIMATE * 2 * (parts + 1));
    }

    /**
     * One answer within a batch.
     *
     * @param headers in the order they are to stand
     * @param body empty when there is none
     */
    public record Answer(int status, String reason, List<Map.Entry<String, String>> headers, Optional<byte[]> body) {}

    public String contentType() {
        return "multipart/mixed; boundary=" + batchBoundary;
    }

    /** The answers to a change set. */
    public WireBuffer changeSet(List<Answer> answers) {
        String changeSetBoundary = "changesetresponse_" + UUID.randomUUID();
        line("--" + batchBoundary);
        line("Content-Type: multipart/mixed; boundary=" + changeSetBoundary);
        line("");
        for (Answer answer : answers) {
            line("--" + changeSetBoundary);
            part(answer);
        }
        line("--" + changeSetBoundary + "--");
        line("--" + batchBoundary + "--");
        return out;
    }

    /** The answer to a request that stood outside of a change set. */
    public WireBuffer single(Answer answer) {
        line("--" + batchBoundary);
        part(answer);
        line("--" + batchBoundary + "--");
        return out;
    }

    private void part(Answer answer) {
        line("Content-Type: application/http");
        line("Content-Transfer-Encoding: binary");
        line("");
        out.ascii("HTTP/1.1 ").number(answer.status()).octet(' ').ascii(answer.reason());
        line("");
        for (Map.Entry<String, String> header : answer.headers()) {
            out.ascii(header.getKey()).ascii(": ").utf8(header.getValue()).ascii(END);
        }
        line("");
        answer.body().ifPresent(out::raw);
        line("");
    }

    private void line(String text) {
        out.ascii(text).ascii(END);
    }
}
