package dev.trestle.server.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.protocol.BatchWriter.Answer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BatchWriterTest {
    private static final Answer EMPTY = new Answer(
            204,
            "No Content",
            List.of(Map.entry("X-Content-Type-Options", "nosniff"), Map.entry("ETag", "W/\"1\"")),
            Optional.empty());
    private static final Answer FULL = new Answer(
            201,
            "Created",
            List.of(Map.entry("Location", "http://h/\u00E9")),
            Optional.of("{}".getBytes(StandardCharsets.US_ASCII)));

    private static String text(WireBuffer buffer) {
        return new String(buffer.toBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void a_change_set_is_laid_out_line_for_line_as_the_service_does() {
        BatchWriter writer = new BatchWriter(2);
        String text = text(writer.changeSet(List.of(EMPTY, FULL)));
        String batch = writer.contentType().replace("multipart/mixed; boundary=", "");
        int start = text.indexOf("changesetresponse_");
        String changeSet = text.substring(start, text.indexOf("\r\n", start));
        assertThat(batch).matches("batchresponse_[0-9a-f-]{36}");
        assertThat(changeSet).matches("changesetresponse_[0-9a-f-]{36}");
        assertThat(text)
                .isEqualTo(String.join(
                        "\r\n",
                        "--" + batch,
                        "Content-Type: multipart/mixed; boundary=" + changeSet,
                        "",
                        "--" + changeSet,
                        "Content-Type: application/http",
                        "Content-Transfer-Encoding: binary",
                        "",
                        "HTTP/1.1 204 No Content",
                        "X-Content-Type-Options: nosniff",
                        "ETag: W/\"1\"",
                        "",
                        "",
                        "--" + changeSet,
                        "Content-Type: application/http",
                        "Content-Transfer-Encoding: binary",
                        "",
                        "HTTP/1.1 201 Created",
                        "Location: http://h/\u00E9",
                        "",
                        "{}",
                        "--" + changeSet + "--",
                        "--" + batch + "--",
                        ""));
    }

    @Test
    void the_answer_to_a_query_hangs_directly_under_the_batch() {
        BatchWriter writer = new BatchWriter(1);
        String text = text(writer.single(FULL));
        String batch = writer.contentType().replace("multipart/mixed; boundary=", "");
        assertThat(text)
                .isEqualTo(String.join(
                        "\r\n",
                        "--" + batch,
                        "Content-Type: application/http",
                        "Content-Transfer-Encoding: binary",
                        "",
                        "HTTP/1.1 201 Created",
                        "Location: http://h/\u00E9",
                        "",
                        "{}",
                        "--" + batch + "--",
                        ""));
    }
}
