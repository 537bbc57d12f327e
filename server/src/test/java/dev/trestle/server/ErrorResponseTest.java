package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Headers of all responses, in particular of errors. */
class ErrorResponseTest {
    private static GuardedServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new GuardedServer();
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
        server.owner(Service.BLOB, "PUT", "/files/a", "x", "x-ms-blob-type: BlockBlob");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String statusLine(Answer answer) {
        return answer.head().lines().findFirst().orElseThrow();
    }

    @Test
    void the_status_line_of_an_error_of_blobs_and_queues_has_its_message() throws IOException {
        assertThat(statusLine(server.owner(Service.BLOB, "GET", "/files/none", "")))
                .isEqualTo("HTTP/1.1 404 The specified blob does not exist.");
        assertThat(statusLine(server.owner(
                        Service.BLOB, "GET", "/files/a", "", "If-Modified-Since: Mon, 02 Mar 2026 10:00:00 GMT")))
                .isEqualTo("HTTP/1.1 304 The condition specified using HTTP conditional header(s) is not met.");
        assertThat(statusLine(server.owner(Service.QUEUE, "GET", "/none?comp=metadata", "")))
                .isEqualTo("HTTP/1.1 404 The specified queue does not exist.");
        assertThat(statusLine(server.owner(Service.QUEUE, "PUT", "/jobs", ""))).isEqualTo("HTTP/1.1 201 Created");
    }

    @Test
    void the_status_line_of_an_error_of_odata_is_the_standard_one() throws IOException {
        assertThat(statusLine(server.owner(Service.TABLE, "GET", "/none()", "")))
                .isEqualTo("HTTP/1.1 404 Not Found");
    }

    @Test
    void the_status_line_of_an_xml_error_of_tables_has_its_message() throws IOException {
        Answer answer = server.owner(Service.TABLE, "PUT", "/?restype=service&comp=properties", "<a");
        assertThat(answer.head()).contains("Content-Type: application/xml");
        assertThat(statusLine(answer)).isEqualTo("HTTP/1.1 400 XML specified is not syntactically valid.");
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void the_status_line_of_a_request_that_is_not_let_in_has_the_message(Service service) throws IOException {
        Answer answer = server.ask(service, "GET", "/devstoreaccount1/?comp=list", "", "Authorization: SharedKey a:b");
        assertThat(answer.body()).contains(statusLine(answer).substring("HTTP/1.1 403 ".length()));
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void what_a_client_wrote_does_not_get_into_the_status_line_unchanged(Service service) throws IOException {
        for (String odd : new String[] {"%0d%0aSet-Cookie:%20a=b", "%C3%A9%E2%82%AC", "x".repeat(5000)}) {
            Answer answer = server.owner(service, "GET", "/" + odd + "?comp=" + odd, "");
            assertThat(statusLine(answer)).matches("HTTP/1.1 4[0-9][0-9] [ -~]{1,256}");
            assertThat(answer.head()).doesNotContain("\r\nSet-Cookie");
        }
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void a_failed_head_request_has_neither_type_nor_length_of_a_body(Service service) throws IOException {
        Answer answer = server.owner(service, "HEAD", "/none/none", "");
        assertThat(answer.status()).isBetween(400, 499);
        assertThat(answer.head())
                .contains("x-ms-error-code: ")
                .doesNotContainIgnoringCase("Content-Type:")
                .doesNotContainIgnoringCase("Content-Length:");
    }

    @Test
    void a_head_request_that_succeeds_tells_the_length() throws IOException {
        assertThat(server.owner(Service.BLOB, "HEAD", "/files/a", "").head()).contains("Content-Length: 1\r\n");
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void every_response_has_a_request_id(Service service) throws IOException {
        String list = service == Service.TABLE ? "/Tables" : "/?comp=list";
        for (Answer answer : new Answer[] {
            server.owner(service, "GET", list, ""),
            server.owner(service, "GET", "/none/none", ""),
            server.ask(service, "GET", "/devstoreaccount1" + list, ""),
            server.ask(service, "GET", "/no-account", ""),
            server.ask(service, "OPTIONS", "/devstoreaccount1", "", "Origin: http://a"),
        }) {
            assertThat(answer.head()).containsOnlyOnce("\r\nx-ms-request-id: ");
        }
    }
}
