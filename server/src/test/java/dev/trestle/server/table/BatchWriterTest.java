package dev.trestle.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.codec.WireBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BatchWriterTest {
    private static final byte[] ENTITY = {'{', '}'};

    private static void empty(BatchWriter writer) {
        writer.part(204, "No Content")
                .header("X-Content-Type-Options", "nosniff")
                .header("ETag", "W/\"1\"")
                .noBody();
    }

    private static void full(BatchWriter writer) {
        writer.part(201, "Created").header("Location", "http://h/\u00E9").body(ENTITY, ENTITY.length);
    }

    private static String text(WireBuffer buffer) {
        return new String(buffer.toBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void a_change_set_is_laid_out_line_for_line_as_the_service_does() {
        BatchWriter writer = new BatchWriter(true, 2);
        empty(writer);
        full(writer);
        String text = text(writer.end());
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
        BatchWriter writer = new BatchWriter(false, 1);
        full(writer);
        String text = text(writer.end());
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
