package dev.trestle.server.blob;

import static dev.trestle.server.codec.Refusals.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.blob.BlobBatchReader.SubRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which clients write batches of requests to the Blob service. */
class BlobBatchReaderTest {
    private static final String TYPE = "multipart/mixed; boundary=batch_1";
    private static final String PART = """
            --batch_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: %s

            DELETE /files/%s HTTP/1.1
            x-ms-date: Mon, 02 Mar 2026 10:00:00 GMT
            Authorization: SharedKey devstoreaccount1:c2ln
            Content-Length: 0

            """;
    private static final String CLOSE = "--batch_1--\n";
    private static final String TWO = PART.formatted("0", "a") + PART.formatted("1", "b") + CLOSE;

    private static List<SubRequest> read(String type, String body) {
        return readLines(type, body.replace("\n", "\r\n"));
    }

    private static List<SubRequest> readLines(String type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        return BlobBatchReader.read(type, bytes, 0, bytes.length);
    }

    private static void assertTwo(List<SubRequest> requests) {
        assertThat(requests).extracting(SubRequest::method).containsExactly("DELETE", "DELETE");
        assertThat(requests).extracting(SubRequest::target).containsExactly("/files/a", "/files/b");
        assertThat(requests)
                .extracting(request -> request.contentId().orElse("none"))
                .containsExactly("0", "1");
        assertThat(requests)
                .allSatisfy(request -> assertThat(request.headers())
                        .containsEntry("authorization", "SharedKey devstoreaccount1:c2ln")
                        .containsEntry("x-ms-date", "Mon, 02 Mar 2026 10:00:00 GMT"));
    }

    @Test
    void every_part_is_a_request_with_an_id_of_its_own() {
        assertTwo(read(TYPE, TWO));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "batch_1",
                "a+b/c=",
                "===============5306085128869334238==",
                "+/+/",
                "'()+_,-./:=?",
                "rQvLZcYr3V+0/mPz"
            })
    void boundaries_with_special_characters_need_no_quotes(String boundary) {
        String body = TWO.replace("batch_1", boundary);

        assertTwo(read("multipart/mixed; boundary=" + boundary, body));
        assertTwo(read("multipart/mixed; boundary=\"" + boundary + "\"", body));
        assertTwo(read("Multipart/Mixed;Boundary=" + boundary + " ; charset=utf-8", body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\n\n"})
    void empty_lines_may_stand_before_a_boundary(String lines) {
        assertTwo(read(TYPE, TWO.replace("--batch_1", lines + "--batch_1")));
    }

    @Test
    void a_part_may_end_with_the_line_of_its_last_header() {
        assertTwo(read(TYPE, TWO.replace("Content-Length: 0\n\n", "Content-Length: 0\n")));
    }

    @Test
    void blanks_after_the_colon_and_the_case_of_names_do_not_matter() {
        assertTwo(read(TYPE, TWO.replace(": ", ":")));
        assertTwo(read(TYPE, TWO.replace(": ", ":  \t")));
        assertTwo(read(TYPE, TWO.replace("Content-ID", "content-id").replace("Authorization", "AUTHORIZATION")));
    }

    @Test
    void line_feeds_alone_end_lines_too() {
        assertTwo(readLines(TYPE, TWO));
    }

    @Test
    void a_body_may_end_right_after_its_closing_boundary() {
        assertTwo(read(TYPE, TWO.strip()));
        assertTwo(read(TYPE, TWO + "anything"));
    }

    @Test
    void a_length_an_id_and_a_first_slash_can_be_left_out() {
        String body = TWO.replace("Content-Length: 0\n", "")
                .replace("Content-ID: 0\n", "")
                .replace("Content-ID: 1\n", "")
                .replace(" /files", " files");

        assertThat(read(TYPE, body)).extracting(SubRequest::target).containsExactly("files/a", "files/b");
        assertThat(read(TYPE, body))
                .allSatisfy(request -> assertThat(request.contentId()).isEmpty());
    }

    @Test
    void as_many_requests_as_the_service_takes_are_read_and_one_more_is_refused() {
        assertThat(read(TYPE, parts(256) + CLOSE)).hasSize(256);
        assertThat(errorOf(() -> read(TYPE, parts(257) + CLOSE)))
                .isEqualTo(StorageError.EXCEEDS_MAX_BATCH_REQUEST_COUNT);
        assertThat(errorOf(() -> read(TYPE, parts(1000) + CLOSE)))
                .isEqualTo(StorageError.EXCEEDS_MAX_BATCH_REQUEST_COUNT);
    }

    private static String parts(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> PART.formatted(i, "b" + i))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "--batch_1--\n", "--other--\n", "DELETE /files/a HTTP/1.1\n"})
    void a_body_without_requests_is_refused(String body) {
        assertThat(errorOf(() -> read(TYPE, body))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void a_body_that_was_cut_off_anywhere_is_refused() {
        String whole = TWO.strip().replace("\n", "\r\n");
        for (int end = 0; end < whole.length(); end++) {
            String cut = whole.substring(0, end);
            assertThat(errorOf(() -> readLines(TYPE, cut))).as(cut).isEqualTo(StorageError.INVALID_INPUT);
        }
    }

    @Test
    void the_boundary_of_the_body_has_to_be_that_of_the_header() {
        assertThat(errorOf(() -> read("multipart/mixed; boundary=batch_2", TWO)))
                .isEqualTo(StorageError.INVALID_INPUT);
        assertThat(errorOf(() -> read("multipart/mixed; boundary=batch_", TWO))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void two_boundaries_in_the_header_are_refused() {
        assertThat(errorOf(() -> read("multipart/mixed; boundary=batch_1; boundary=batch_2", TWO)))
                .isEqualTo(StorageError.INVALID_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "multipart/mixed",
                "multipart/mixed;",
                "multipart/mixed; boundary",
                "multipart/mixed; boundary=",
                "multipart/mixed; boundary=\"\"",
                "multipart/mixed; xboundary=batch_1",
                "multipart/mixedly; boundary=batch_1",
                "application/http; boundary=batch_1"
            })
    void a_content_type_without_a_boundary_is_the_header_at_fault(String type) {
        StorageException refusal = catchThrowableOfType(StorageException.class, () -> read(type, TWO));

        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_HEADER_VALUE);
        assertThat(refusal.details())
                .containsEntry("HeaderName", "Content-Type")
                .containsEntry("HeaderValue", type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1\n\n",
                "Content-Length: 0\n\nx",
                "Content-Length: 0\n\n\nx\n",
                "Content-Length: -1\n\n",
                "Content-Length: 00x\n\n"
            })
    void a_request_with_a_body_is_refused(String ending) {
        assertThat(errorOf(() -> read(TYPE, TWO.replace("Content-Length: 0\n\n", ending))))
                .isEqualTo(StorageError.INVALID_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE",
                "DELETE HTTP/1.1",
                "DELETE /files/a",
                "DELETE  HTTP/1.1",
                "DELETE /files/a b HTTP/1.1",
                "DELETE http://127.0.0.1/files/a HTTP/1.1",
                "DELETE ?comp=tier HTTP/1.1",
                "DELETE /files/a\u0001 HTTP/1.1",
                "DELETE /files/a\rHost:x HTTP/1.1"
            })
    void a_line_that_is_no_request_is_refused(String line) {
        assertThat(errorOf(() -> read(TYPE, TWO.replace("DELETE /files/a HTTP/1.1", line))))
                .isEqualTo(StorageError.INVALID_INPUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "If-Match",
                "If-Match: a\rb",
                "If-Match: a\u0000",
                ": *",
                "If\u0007Match: *",
                "If Match: *",
                "\t: *"
            })
    void a_line_that_is_no_header_is_refused(String line) {
        assertThat(errorOf(() -> read(TYPE, TWO.replace("Content-Length: 0", line))))
                .isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void an_id_that_could_not_be_sent_back_is_left_out() {
        assertThat(read(TYPE, TWO.replace("Content-ID: 0", "Content-ID: 0\u0001"))
                        .get(0)
                        .contentId())
                .isEmpty();
    }

    @Test
    void an_address_may_hold_the_address_of_another_in_its_query() {
        assertThat(read(TYPE, TWO.replace("/files/a", "/files/a?x=http://127.0.0.1/"))
                        .get(0)
                        .target())
                .isEqualTo("/files/a?x=http://127.0.0.1/");
    }
}
