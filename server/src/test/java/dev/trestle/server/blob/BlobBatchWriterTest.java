package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.codec.WireBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlobBatchWriterTest {
    private static String text(BlobBatchWriter writer) {
        WireBuffer end = writer.end();
        return new String(end.data(), 0, end.length(), StandardCharsets.UTF_8)
                .replace(writer.contentType().substring("multipart/mixed; boundary=".length()), "b");
    }

    @Test
    void parts_follow_each_other_as_the_service_writes_them() {
        BlobBatchWriter writer = new BlobBatchWriter(2);
        writer.part(Optional.of("0"), 404, "The specified blob does not exist.")
                .header("x-ms-error-code", "BlobNotFound")
                .document(
                        "<?xml?><Error/>".getBytes(StandardCharsets.US_ASCII), "application/xml", "Server", "Trestle");
        writer.part(Optional.of("one"), 202, "Accepted").header("Server", "Trestle");

        assertThat(writer.contentType()).startsWith("multipart/mixed; boundary=batchresponse_");
        assertThat(text(writer)).isEqualTo("""
                --b
                Content-Type: application/http
                Content-ID: 0

                HTTP/1.1 404 The specified blob does not exist.
                x-ms-error-code: BlobNotFound
                Content-Length: 16
                Content-Type: application/xml
                Server: Trestle

                <?xml?>*<Error/>
                --b
                Content-Type: application/http
                Content-ID: one

                HTTP/1.1 202 Accepted
                Server: Trestle

                --b--""".replace("\n", "\r\n").replace('*', '\n'));
    }

    @Test
    void a_request_without_an_id_gets_none_back() {
        BlobBatchWriter writer = new BlobBatchWriter(1);
        writer.part(Optional.empty(), 202, "Accepted").header("Server", "Trestle");

        assertThat(text(writer)).doesNotContain("Content-ID").contains("application/http\r\n\r\nHTTP/1.1 202");
    }

    @Test
    void a_character_outside_of_latin_1_ends_no_line() {
        BlobBatchWriter writer = new BlobBatchWriter(1);
        writer.part(Optional.of("a\u010Ab"), 202, "Accepted").header("x", "\u010D\u010A");

        assertThat(text(writer)).contains("Content-ID: a?b\r\n").contains("x: ??\r\n");
    }
}
