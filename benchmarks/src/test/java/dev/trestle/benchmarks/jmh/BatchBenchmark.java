package dev.trestle.benchmarks.jmh;

import dev.trestle.server.codec.BatchReader;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** A transaction of a hundred inserts taken apart; the time is that of one of them. */
public class BatchBenchmark extends HotPiece {
    private static final int PARTS = 100;
    private static final String TYPE = "multipart/mixed; boundary=batch_b";

    private final byte[] body = body();

    private static byte[] body() {
        StringBuilder text = new StringBuilder("""
                --batch_b
                Content-Type: multipart/mixed; boundary=changeset_c

                """);
        for (int i = 0; i < PARTS; i++) {
            text.append("""
                    --changeset_c
                    Content-Type: application/http
                    Content-Transfer-Encoding: binary

                    POST http://127.0.0.1:10002/acct/bench HTTP/1.1
                    Content-Type: application/json
                    Accept: application/json;odata=minimalmetadata
                    Prefer: return-no-content
                    DataServiceVersion: 3.0

                    %s
                    """.formatted(new String(SampleRow.json(i), StandardCharsets.UTF_8)));
        }
        text.append("--changeset_c--\n--batch_b--\n");
        return text.toString().replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    @Benchmark
    @OperationsPerInvocation(PARTS)
    public BatchReader.Batch readPart() {
        return BatchReader.read(TYPE, body, 0, body.length);
    }
}
