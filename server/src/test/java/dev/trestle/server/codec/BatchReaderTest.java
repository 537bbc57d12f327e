package dev.trestle.server.codec;

import static dev.trestle.server.codec.Refusals.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.codec.BatchReader.Batch;
import dev.trestle.server.codec.BatchReader.Part;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dialects of multipart that clients really speak. */
class BatchReaderTest {
    private static final String TYPE = "multipart/mixed; boundary=batch_1";
    private static final String INSERT = """
            --changeset_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            POST https://acct.table.example/orders HTTP/1.1
            Content-Type: application/json
            Prefer: return-no-content

            {"PartitionKey":"p","RowKey":"%s"}
            """;
    private static final String OPEN = """
            --batch_1
            Content-Type: multipart/mixed; boundary=changeset_1

            """;
    private static final String CLOSE = """
            --changeset_1--
            --batch_1--
            """;

    private static String crlf(String text) {
        return text.replace("\n", "\r\n");
    }

    private static Batch read(String type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return BatchReader.read(type, bytes, 0, bytes.length);
    }

    private static String body(String text, Part part) {
        return new String(
                text.getBytes(StandardCharsets.UTF_8), part.bodyOffset(), part.bodyLength(), StandardCharsets.UTF_8);
    }

    private static void assertTwoInserts(String type, String text) {
        Batch batch = read(type, text);
        assertThat(batch.changeSet()).isTrue();
        assertThat(batch.parts()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            Part part = batch.parts().get(i);
            assertThat(part.method()).isEqualTo("POST");
            assertThat(part.target()).isEqualTo("https://acct.table.example/orders");
            assertThat(part.header("prefer")).contains("return-no-content");
            assertThat(body(text, part).strip()).isEqualTo("{\"PartitionKey\":\"p\",\"RowKey\":\"" + (i + 1) + "\"}");
        }
    }

    private static final String QUERY = """
            --batch_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET https://acct.table.example/orders(PartitionKey='p',RowKey='r') HTTP/1.1
            Accept: application/json

            --batch_1--
            """;
    private static final String TWO = OPEN + INSERT.formatted("1") + INSERT.formatted("2") + CLOSE;

    @Test
    void a_change_set_as_documented() {
        assertTwoInserts(TYPE, crlf(TWO));
    }

    @Test
    void bare_line_feeds_and_no_final_newline() {
        assertTwoInserts(TYPE, TWO.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/mixed;charset=\"utf-8\";boundary=batch_1",
                "multipart/mixed; boundary=\"batch_1\"",
                "Multipart/Mixed; BOUNDARY=batch_1",
                "multipart/mixed; boundary=batch_1; charset=utf-8",
                " multipart/mixed;boundary= batch_1 ",
            })
    void content_types_of_many_forms(String type) {
        assertTwoInserts(type, crlf(TWO));
    }

    @Test
    void lower_case_part_headers_and_extra_empty_lines() {
        String text = TWO.replace("Content-Type", "content-type")
                .replace("Content-Transfer-Encoding", "content-transfer-encoding")
                .replace("boundary=changeset_1\n\n", "boundary=changeset_1\n\n\n")
                .replace("return-no-content\n\n", "return-no-content\n\n\n")
                .replace("binary\n\n", "binary\n\n\n");
        assertTwoInserts(TYPE, crlf(text));
    }

    /** Bodies as clients end them: with or without a line end, and with empty lines before the closing boundaries. */
    static List<String> clientBodies() {
        String spaced = TWO.replace("--changeset_1--\n", "\n--changeset_1--\n\n");
        return List.of(
                crlf(TWO),
                crlf(TWO).stripTrailing(),
                TWO,
                TWO.stripTrailing(),
                crlf(spaced),
                crlf(QUERY),
                QUERY.strip());
    }

    @ParameterizedTest
    @MethodSource("clientBodies")
    void a_body_that_was_cut_anywhere_is_refused(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int complete = text.stripTrailing().length();
        for (int length = 0; length < complete; length++) {
            assertThat(readOrRefused(bytes, length))
                    .as("the first %s bytes", length)
                    .isEqualTo(StorageError.INVALID_INPUT);
        }
        for (int length = complete; length <= bytes.length; length++) {
            assertThat(readOrRefused(bytes, length)).as("%s bytes", length).isInstanceOf(Batch.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--batch_1", "--batch_1-", "--batch_1--x", "--batch_2--", "--changeset_1--", " --batch_1--"})
    void a_batch_ends_with_its_own_closing_boundary(String end) {
        assertThat(errorOf(() -> read(TYPE, TWO.replace("--batch_1--", end)))).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(errorOf(() -> read(TYPE, QUERY.replace("--batch_1--", end)))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void parts_after_the_end_of_the_change_set_or_of_the_batch_are_refused() {
        String third = INSERT.formatted("3");
        for (String rest : List.of(third, third + "--changeset_1--\n", "text\n")) {
            String text = TWO.replace("--batch_1--\n", rest + "--batch_1--\n");
            assertThat(errorOf(() -> read(TYPE, crlf(text)))).as(rest).isEqualTo(StorageError.INVALID_INPUT);
        }
        for (String rest : List.of(third, "--batch_1--\n", OPEN + third + CLOSE)) {
            assertThat(errorOf(() -> read(TYPE, TWO + rest))).as(rest).isEqualTo(StorageError.INVALID_INPUT);
        }
    }

    @Test
    void spaces_after_a_boundary_and_text_around_the_batch() {
        assertTwoInserts(
                TYPE, "preamble\r\n" + crlf(TWO.replace("--changeset_1\n", "--changeset_1 \t\n")) + "epilogue\r\n");
    }

    @Test
    void a_content_id_counts_only_among_the_headers_of_the_request() {
        String text = OPEN
                + INSERT.formatted("1").replace("binary\n", "binary\nContent-ID: 0\n")
                + INSERT.formatted("2").replace("Prefer", "Content-Id: 5\nPrefer")
                + CLOSE;
        List<Part> parts = read(TYPE, text).parts();
        assertThat(parts.get(0).header("content-id")).isEmpty();
        assertThat(parts.get(1).header("content-id")).contains("5");
    }

    @Test
    void deletions_without_a_body() {
        String delete = """
                --changeset_1
                Content-Type: application/http

                DELETE http://127.0.0.1:10002/acct/orders(PartitionKey='p',RowKey='a%20b') HTTP/1.1
                If-Match: W/"datetime'2026-03-02T10%3A00%3A00Z'"
                Content-Type: application/json

                """;
        for (String end : new String[] {"", "\n", "\n\n"}) {
            List<Part> parts = read(TYPE, crlf(OPEN + delete + end + delete.stripTrailing() + "\n" + CLOSE))
                    .parts();
            assertThat(parts).hasSize(2).allSatisfy(part -> {
                assertThat(part.method()).isEqualTo("DELETE");
                assertThat(part.target())
                        .isEqualTo("http://127.0.0.1:10002/acct/orders(PartitionKey='p',RowKey='a%20b')");
                assertThat(part.header("if-match")).contains("W/\"datetime'2026-03-02T10%3A00%3A00Z'\"");
            });
        }
    }

    @Test
    void a_lone_request_outside_of_a_change_set() {
        Batch batch = read(TYPE, crlf(QUERY));
        assertThat(batch.changeSet()).isFalse();
        assertThat(batch.parts()).singleElement().satisfies(part -> {
            assertThat(part.method()).isEqualTo("GET");
            assertThat(part.header("accept")).contains("application/json");
        });
    }

    @Test
    void a_boundary_that_begins_like_another_is_not_taken_for_it() {
        String text = TWO.replace("changeset_1", "batch_1-2");
        assertTwoInserts(TYPE, crlf(text));
        String body = TWO.replace("{\"PartitionKey\":\"p\",\"RowKey\":\"1\"}", "--changeset_12\n--changeset_1-x\n");
        assertThat(read(TYPE, body).parts()).hasSize(2);
    }

    @Test
    void a_body_of_any_bytes_is_found_where_it_lies() {
        byte[] json = "{\"A\":\"\u00E9\"}".getBytes(StandardCharsets.UTF_8);
        String text =
                crlf(OPEN + INSERT.replace("{\"PartitionKey\":\"p\",\"RowKey\":\"%s\"}", "{\"A\":\"\u00E9\"}") + CLOSE);
        byte[] bytes = ("xxx" + text).getBytes(StandardCharsets.UTF_8);
        Part part = BatchReader.read(TYPE, bytes, 3, bytes.length - 3).parts().get(0);
        assertThat(bytes).containsSequence(json);
        assertThat(new String(bytes, part.bodyOffset(), part.bodyLength(), StandardCharsets.UTF_8))
                .isEqualTo("{\"A\":\"\u00E9\"}\r\n");
    }

    /** Reads the first bytes; returns the result or the refusal. */
    private static Object readOrRefused(byte[] bytes, int length) {
        try {
            return BatchReader.read(TYPE, bytes, 0, length);
        } catch (StorageException e) {
            return e.error();
        }
    }

    @Test
    void what_lies_behind_the_end_makes_no_difference() {
        for (String text : List.of(TWO, QUERY)) {
            byte[] bytes = crlf(text).getBytes(StandardCharsets.UTF_8);
            for (int length = 0; length < bytes.length; length++) {
                assertThat(readOrRefused(bytes, length))
                        .as("%s bytes", length)
                        .isEqualTo(readOrRefused(Arrays.copyOf(bytes, length), length));
            }
        }
    }

    @Test
    void boundaries_and_headers_have_a_limit() {
        for (int past = 0; past <= 1; past++) {
            String mark = "b".repeat(200 + past);
            String type = TYPE.replace("batch_1", mark);
            // Two headers are there.
            String headers = IntStream.range(0, 62 + past)
                    .mapToObj(i -> "H" + i + ": v\n")
                    .collect(Collectors.joining());
            if (past == 0) {
                assertTwoInserts(type, TWO.replace("batch_1", mark));
                assertTwoInserts(TYPE, TWO.replace("Prefer", headers + "Prefer"));
            } else {
                assertThat(errorOf(() -> read(type, TWO.replace("batch_1", mark))))
                        .isEqualTo(StorageError.INVALID_INPUT);
                assertThat(errorOf(() -> read(TYPE, TWO.replace("Prefer", headers + "Prefer"))))
                        .isEqualTo(StorageError.INVALID_INPUT);
            }
        }
    }

    @Test
    void one_operation_too_many_is_all_that_is_kept_of_many() {
        String text = OPEN + INSERT.formatted("1").repeat(150) + CLOSE;
        assertThat(read(TYPE, text).parts()).hasSize(101);
    }

    @Test
    void a_second_change_set_or_query_is_refused() {
        String first = TWO.replace("--batch_1--\n", "");
        assertThat(errorOf(() -> read(TYPE, crlf(first + TWO)))).isEqualTo(StorageError.INVALID_INPUT);
        String query = "--batch_1\nContent-Type: application/http\n\nGET /orders HTTP/1.1\n\n";
        assertThat(errorOf(() -> read(TYPE, query + query + "--batch_1--"))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--batch_1",
                "--batch_1--",
                "--batch_2\n\nGET / HTTP/1.1\n",
                "--batch_1\nContent-Type: multipart/mixed\n\n--x\n",
                "--batch_1\nContent-Type: multipart/mixed; boundary=c\n\n--c--\n--batch_1--",
                "--batch_1\nContent-Type: application/http\n\nGET\n",
                "--batch_1\nContent-Type: application/http\n\nGET /x\n",
                "--batch_1\nno colon\n\nGET /x HTTP/1.1\n",
                "--batch_1\nContent-Type: application/http\n\nGET /x HTTP/1.1\nno colon\n"
            })
    void what_is_no_batch_is_refused(String body) {
        assertThat(errorOf(() -> read(TYPE, body))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void another_content_type_or_none_is_refused() {
        assertThat(errorOf(() -> read("application/json", TWO))).isEqualTo(StorageError.MEDIA_TYPE_NOT_SUPPORTED);
        assertThat(errorOf(() -> read("", TWO))).isEqualTo(StorageError.MEDIA_TYPE_NOT_SUPPORTED);
        assertThat(errorOf(() -> read("multipart/mixed", TWO))).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(errorOf(() -> read("multipart/mixed; boundary=", TWO))).isEqualTo(StorageError.INVALID_INPUT);
    }
}
