package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Request smuggling: heads that a proxy may read differently. Each hides an authorized request that deletes
 * something, which must not be executed.
 */
class SmugglingTest {
    private static final String HEAD = "/devstoreaccount1/%s?%s HTTP/1.1\r\nHost: 127.0.0.1\r\n";

    private static GuardedServer server;

    @BeforeAll
    static void startWithWhatIsToBeDeleted() throws IOException {
        server = new GuardedServer();
        server.owner(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"orders\"}", "Content-Type: application/json");
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Stream<Arguments> ambiguousHeads() {
        return Stream.of(
                        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
                        "Content-Length: 0\r\nContent-Length: 9\r\n\r\n",
                        "Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
                        "Content-Length: 0, 9\r\n\r\n",
                        "Content-Length: +0\r\n\r\n",
                        "Content-Length : 0\r\n\r\n",
                        "Transfer-Encoding: identity\r\n\r\n",
                        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n",
                        "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding:\u000bchunked\r\nContent-Length: 0\r\n\r\n",
                        "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\n \r\n\r\n0\r\n\r\n",
                        "Content-Length:\r\n 0\r\n\r\n",
                        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                        "X-A: b\nContent-Length: 0\r\n\r\n",
                        "X-A: b\rContent-Length: 9\r\nContent-Length: 0\r\n\r\n",
                        "X-A: b\u0000c\r\nContent-Length: 0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n-0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n0\r\n\r\n",
                        "Host: 127.0.0.1\r\nContent-Length: 0\r\n\r\n",
                        "Host: otheraccount.example\r\nContent-Length: 0\r\n\r\n")
                .flatMap(head -> Stream.of(Arguments.of(Service.TABLE, head), Arguments.of(Service.BLOB, head)));
    }

    @ParameterizedTest
    @MethodSource("ambiguousHeads")
    void a_head_that_can_be_read_in_two_ways_ends_the_connection(Service service, String head) throws IOException {
        String first = service == Service.TABLE
                ? "POST " + HEAD.formatted("orders", GuardedServer.owner()) + "Content-Type: application/json\r\n"
                : "PUT " + HEAD.formatted("files/a", GuardedServer.owner()) + "x-ms-blob-type: BlockBlob\r\n";
        List<Answer> answers = GuardedServer.answers(server.port(service), first + head + deletion(service));
        assertThat(answers).hasSizeLessThanOrEqualTo(1).allMatch(answer -> answer.status() == 400);
        assertThat(isThere(service)).isTrue();
    }

    private static String deletion(Service service) {
        String resource = service == Service.TABLE ? "Tables('orders')" : "files";
        String kind = service == Service.TABLE ? "" : "restype=container&";
        return "DELETE " + HEAD.formatted(resource, kind + GuardedServer.owner()) + "\r\n";
    }

    private static boolean isThere(Service service) throws IOException {
        String path = service == Service.TABLE ? "/Tables('orders')" : "/files?restype=container";
        return server.owner(service, "GET", path, "").status() == 200;
    }

    @Test
    void what_stands_in_a_body_is_never_a_request() throws IOException {
        for (Service service : List.of(Service.TABLE, Service.BLOB)) {
            String hidden = deletion(service);
            String path = service == Service.TABLE ? "/devstoreaccount1/Tables?" : "/devstoreaccount1/files/a?";
            String reading = GuardedServer.request("GET", path + GuardedServer.owner(), hidden);
            List<Answer> answers = GuardedServer.answers(server.port(service), reading);
            assertThat(answers).hasSize(1);
            assertThat(isThere(service)).isTrue();
        }
    }

    @Test
    void a_folded_line_belongs_to_the_header_before_it() throws IOException {
        String request = "GET " + HEAD.formatted("Tables", GuardedServer.owner())
                + "X-A: b\r\n Content-Length: 500\r\n\r\n" + deletion(Service.QUEUE);
        assertThat(GuardedServer.answers(server.port(Service.TABLE), request)).hasSize(2);
    }

    @Test
    void what_comes_after_the_body_is_not_taken_for_the_head() throws IOException {
        server.owner(
                Service.TABLE,
                "POST",
                "/orders",
                "{\"PartitionKey\":\"a\",\"RowKey\":\"1\"}",
                "Content-Type: application/json");
        String entity = "orders(PartitionKey='a',RowKey='1')";
        String tunnelled = "POST " + HEAD.formatted(entity, GuardedServer.owner())
                + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-HTTP-Method: DELETE\r\nIf-Match: *\r\n\r\n";
        Answer refused =
                GuardedServer.answers(server.port(Service.TABLE), tunnelled).get(0);
        assertThat(refused.status()).isEqualTo(405);
        String signedLate = String.join(
                "\r\n",
                "POST /devstoreaccount1/orders HTTP/1.1",
                "Host: 127.0.0.1",
                "Transfer-Encoding: chunked",
                "",
                "0",
                "Authorization: SharedKeyLite devstoreaccount1:c2ln",
                "",
                "");
        assertThat(GuardedServer.answers(server.port(Service.TABLE), signedLate)
                        .get(0)
                        .body())
                .contains("AuthenticationFailed");
        assertThat(server.owner(Service.TABLE, "GET", "/" + entity, "").status())
                .isEqualTo(200);
    }

    @Test
    void a_body_is_not_unpacked() throws IOException {
        Answer answer = server.owner(
                Service.TABLE,
                "POST",
                "/orders",
                "\u001f\u008b\b\u0000\u0000\u0000\u0000\u0000",
                "Content-Type: application/json",
                "Content-Encoding: gzip");
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void the_protocol_of_a_connection_is_not_changed() throws IOException {
        String head = "GET " + HEAD.formatted("Tables", GuardedServer.owner());
        for (List<String> upgrade : List.of(
                List.of("Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"),
                List.of(
                        "Upgrade: websocket",
                        "Connection: Upgrade",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                        "Sec-WebSocket-Version: 13"))) {
            String request = head + String.join("\r\n", upgrade) + "\r\n\r\n";
            Answer answer =
                    GuardedServer.answers(server.port(Service.TABLE), request).get(0);
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void a_trace_does_not_send_headers_back() throws IOException {
        for (Service service : Service.values()) {
            Answer answer = server.owner(service, "TRACE", "/orders", "", "X-Told: in confidence");
            assertThat(answer.status()).isBetween(400, 499);
            assertThat(answer.toString()).doesNotContain("in confidence");
        }
    }
}
