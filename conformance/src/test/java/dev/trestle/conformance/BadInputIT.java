package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input of any kind is refused or ends the connection, and the next request is served as before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
    private static final int BODY_BYTES_MAX = 4 << 20;
    private static final String TABLE = "things";

    /** In place of the status of a response: the connection was closed without one. */
    private static final int CLOSED = 0;

    private static final String KEPT = "{\"value\":[{\"RowKey\":\"kept\"}]}";

    private @Nullable TrestleProcess started;

    @BeforeAll
    void start() throws IOException {
        started = TrestleProcess.inMemory();
        assertThat(ask(RawRequest.of("POST", "/Tables").json("{\"TableName\":\"" + TABLE + "\"}"))
                        .status())
                .isEqualTo(201);
        assertThat(ask(insert("kept")).status()).isEqualTo(201);
    }

    @AfterAll
    void stop() {
        server().close();
        assertThat(server().log()).doesNotContain(" ERROR ");
    }

    private TrestleProcess server() {
        return Objects.requireNonNull(started);
    }

    /** Checks after every test that the server runs and that no refused request had an effect. */
    @AfterEach
    void serves_as_before() throws IOException {
        RawResponse answer = ask(RawRequest.of("GET", "/" + TABLE + "()?$select=RowKey")
                .with("Accept", "application/json;odata=nometadata"));
        assertThat(answer.body()).isEqualTo(KEPT);
    }

    private static RawRequest insert(String rowKey) {
        return post("{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\"}");
    }

    private static RawRequest post(String json) {
        return RawRequest.of("POST", "/" + TABLE).json(json);
    }

    private RawResponse ask(RawRequest request) throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            return harmless(connection.exchange(request));
        }
    }

    /**
     * Sends these bytes and closes the sending side. They fit into the buffers of the sockets, so the server has
     * them all before it can close the connection, and no response is lost to a reset.
     *
     * @return what the server sent until it closed the connection: a response, or nothing
     */
    private Optional<RawResponse> send(byte[] bytes) throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            connection.send(bytes);
            connection.finishSending();
            String received = connection.readToEnd();
            if (received.isEmpty()) {
                return Optional.empty();
            }
            InputStream in = new ByteArrayInputStream(received.getBytes(StandardCharsets.ISO_8859_1));
            RawResponse response = harmless(RawResponse.read(in, false));
            assertThat(in.available()).as("bytes after %s", response.text()).isZero();
            return Optional.of(response);
        }
    }

    private Optional<RawResponse> send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The response to a request that is refused. */
    private RawResponse refused(byte[] bytes) throws IOException {
        Optional<RawResponse> response = send(bytes);
        assertThat(response).isPresent();
        return response.get();
    }

    private RawResponse refused(String text) throws IOException {
        return refused(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Random bytes may end before a request is complete: then the connection is closed without a response. */
    private void refusedOrClosed(byte[] bytes) throws IOException {
        int status = send(bytes).map(RawResponse::status).orElse(CLOSED);
        assertThat(status)
                .satisfiesAnyOf(
                        none -> assertThat(none).isEqualTo(CLOSED),
                        refusal -> assertThat(refusal).isBetween(400, 505));
    }

    /** Returns the response to a well-formed request. */
    private RawResponse answerTo(String text) throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            connection.send(text);
            return harmless(connection.response());
        }
    }

    /** Checks that a response does not expose internals of the server. */
    private static RawResponse harmless(RawResponse answer) {
        assertThat(answer.text())
                .doesNotContain("\tat ", "Exception", "dev.trestle", "io.netty", "io.vertx", "rocksdb");
        return answer;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "[]",
                "null",
                "1",
                "\"text\"",
                "{]",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\"",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\"}}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\"} {}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",}",
                "{'PartitionKey':'p','RowKey':'bad'}",
                "{PartitionKey:\"p\",RowKey:\"bad\"}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":01}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":NaN}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":+1}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":1e999}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":\"\\x\"}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":\"line\nbreak\"}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"\":1}",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A@odata.type\":7,\"A\":1}",
                "/* comment */ {\"PartitionKey\":\"p\",\"RowKey\":\"bad\"}",
            })
    void malformed_json_is_refused_and_the_connection_goes_on(String json) throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            RawResponse answer = harmless(connection.exchange(post(json)));
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.body()).startsWith("{\"odata.error\":{\"code\":\"");
            assertThat(connection.exchange(insert("kept")).status()).isEqualTo(409);
        }
    }

    @Test
    void json_that_is_not_utf_8_is_refused() throws IOException {
        byte[] body = "{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":\"?\"}".getBytes(StandardCharsets.UTF_8);
        body[body.length - 3] = (byte) 0xFF;
        assertThat(ask(RawRequest.of("POST", "/" + TABLE)
                                .with("Content-Type", "application/json")
                                .body(body))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void json_of_any_depth_is_refused_without_overflow() throws IOException {
        for (String nesting :
                List.of("[".repeat(200_000), "{\"a\":".repeat(200_000), "[".repeat(100_000) + "]".repeat(100_000))) {
            RawResponse answer = ask(post("{\"PartitionKey\":\"p\",\"RowKey\":\"bad\",\"A\":" + nesting));
            assertThat(answer.status()).isEqualTo(400);
        }
    }

    @Test
    void a_body_cut_short_is_not_acted_on_and_gets_no_response() throws IOException {
        byte[] whole = insert("cut").bytes();
        for (int length : List.of(whole.length - 1, whole.length - 10, whole.length - 37)) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(send(cut)).isEmpty();
        }
    }

    @Test
    void nothing_of_a_batch_that_was_cut_anywhere_is_applied() throws IOException {
        String batch = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + change("PUT", "first")
                + change("PUT", "second") + "--c--\r\n--b--";
        for (int length = batch.length() - 1; length > 0; length -= 5) {
            assertThat(batch(batch.substring(0, length)).status())
                    .as("cut at %s", length)
                    .isEqualTo(400);
        }
        assertThat(exists("first")).isFalse();
        assertThat(exists("second")).isFalse();
        assertThat(batch(batch).status()).isEqualTo(202);
        assertThat(exists("first")).isTrue();
        assertThat(exists("second")).isTrue();
        delete("first");
        delete("second");
    }

    private RawResponse batch(String body) throws IOException {
        return ask(RawRequest.of("POST", "/$batch")
                .with("Content-Type", "multipart/mixed; boundary=b")
                .body(body.getBytes(StandardCharsets.UTF_8)));
    }

    private static String change(String verb, String rowKey) {
        return "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" + verb
                + " http://127.0.0.1/devstoreaccount1/" + TABLE + "(PartitionKey='q',RowKey='" + rowKey
                + "') HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"A\":1}\r\n";
    }

    private boolean exists(String rowKey) throws IOException {
        return ask(RawRequest.of("GET", "/" + TABLE + "(PartitionKey='q',RowKey='" + rowKey + "')"))
                        .status()
                == 200;
    }

    private void delete(String rowKey) throws IOException {
        ask(RawRequest.of("DELETE", "/" + TABLE + "(PartitionKey='q',RowKey='" + rowKey + "')")
                .with("If-Match", "*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ten", "-1", "1, 2", "99999999999999999999", "0x10", ""})
    void a_length_that_is_none_is_refused(String length) throws IOException {
        RawResponse answer =
                refused(insert("bad").with("Content-Length", length).bytes());
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    }

    @Test
    void two_lengths_or_a_length_and_chunks_smuggle_nothing() throws IOException {
        String twice = new String(insert("bad").bytes(), StandardCharsets.UTF_8)
                .replace("\r\n\r\n", "\r\nContent-Length: 3\r\n\r\n");
        assertThat(refused(twice).status()).isEqualTo(400);
        String both = new String(insert("bad").bytes(), StandardCharsets.UTF_8)
                .replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertThat(refused(both).status()).isEqualTo(400);
    }

    @Test
    void bytes_beyond_the_length_are_the_next_request_and_a_bad_one() throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            connection.send(
                    RawRequest.of("GET", "/Tables").with("Content-Length", "0").bytes());
            connection.send("this is no request\r\n\r\n");
            assertThat(harmless(connection.response()).status()).isEqualTo(200);
            assertThat(connection.readToEnd()).containsPattern("^HTTP/1\\.[01] 400 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\nabc\r\n", "-5\r\nabc\r\n", "ffffffffffff\r\nabc\r\n", "3\r\nabcdefgh\r\n0\r\n\r\n"})
    void malformed_chunks_are_refused(String chunks) throws IOException {
        assertThat(refused(chunked(chunks)).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5\r\n", "5\r\nabc", "5\r\nabcde\r\n"})
    void chunks_that_end_early_are_not_acted_on_and_get_no_response(String chunks) throws IOException {
        assertThat(send(chunked(chunks))).isEmpty();
    }

    private static String chunked(String chunks) {
        RawRequest head = RawRequest.of("POST", "/" + TABLE)
                .with("Content-Type", "application/json")
                .with("Transfer-Encoding", "chunked");
        return new String(head.bytes(), StandardCharsets.UTF_8) + chunks;
    }

    @Test
    void a_body_beyond_the_limit_is_refused_by_its_length() throws IOException {
        byte[] large = new byte[BODY_BYTES_MAX + 1];
        Arrays.fill(large, (byte) ' ');
        RawRequest request = RawRequest.of("POST", "/" + TABLE)
                .with("Content-Type", "application/json")
                .body(large);
        RawResponse answer = ask(request);
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body()).contains("\"code\":\"RequestBodyTooLarge\"");
    }

    @Test
    void a_body_of_the_greatest_length_is_read() throws IOException {
        String json = "{\"PartitionKey\":\"p\",\"RowKey\":\"kept\"}";
        RawResponse answer = ask(post(json + " ".repeat(BODY_BYTES_MAX - json.length())));
        assertThat(answer.status()).isEqualTo(409);
    }

    @Test
    void endless_chunks_are_refused_at_the_same_limit() throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            connection.send(RawRequest.of("POST", "/" + TABLE)
                    .with("Content-Type", "application/json")
                    .with("Transfer-Encoding", "chunked")
                    .bytes());
            String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
            for (int sent = 0; sent <= BODY_BYTES_MAX; sent += 0x10000) {
                connection.send(chunk);
            }
            connection.send("0\r\n\r\n");
            assertThat(harmless(connection.response()).status()).isEqualTo(413);
        }
    }

    @Test
    void an_announced_giant_is_refused_before_it_is_sent() throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            connection.send(
                    insert("bad").with("Content-Length", "1000000000000").bytes());
            assertThat(harmless(connection.response()).status()).isEqualTo(413);
        }
    }

    @Test
    void overlong_headers_and_lines_get_their_own_status() {
        refusedAtLength(431, RawRequest.of("GET", "/Tables").with("x-long", "x".repeat(200_000)));
        RawRequest many = RawRequest.of("GET", "/Tables");
        for (int i = 0; i < 100; i++) {
            many = many.with("x-" + i, "y".repeat(1000));
        }
        refusedAtLength(431, many);
        refusedAtLength(414, RawRequest.of("GET", "/Tables?x=" + "y".repeat(500_000)));
    }

    /**
     * The server closes the connection after its refusal. While the client is still sending, the close becomes a
     * reset, which may discard the response before the client reads it. So each attempt ends with the response or
     * a reset, and this repeats until there is a response.
     */
    private void refusedAtLength(int status, RawRequest request) {
        Deadline.await(() -> "no response " + status, () -> {
            try (RawConnection connection = new RawConnection(server())) {
                assertThat(harmless(connection.exchange(request)).status()).isEqualTo(status);
                return true;
            } catch (EOFException | SocketException ended) {
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/Tables%",
                "/Tables%2",
                "/Tables%zz",
                "/things(PartitionKey='%',RowKey='r')",
                "/things(PartitionKey='%C3%28',RowKey='r')",
                "/things(PartitionKey='%ED%A0%80',RowKey='r')",
                "/things()?$filter=%zz",
                "/things()?$filter=RowKey%20eq%20'%C3%28'",
                "/things()?$top=%FF",
                "/things()?%zz=1&$top=%",
                "/things(PartitionKey='%00',RowKey='r')",
            })
    void invalid_percent_encoding_is_refused(String path) throws IOException {
        RawResponse answer = ask(RawRequest.of("GET", path));
        assertThat(answer.status()).as(answer.text()).isBetween(400, 404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c"
                        + " \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><SignedIdentifiers><SignedIdentifier><Id>&c;</Id></SignedIdentifier></SignedIdentifiers>",
                "<!DOCTYPE d [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><SignedIdentifiers><SignedIdentifier><Id>&x;</Id></SignedIdentifier></SignedIdentifiers>",
                "<!DOCTYPE d SYSTEM \"http://127.0.0.1:9/d.dtd\"><SignedIdentifiers/>",
                "<SignedIdentifiers><SignedIdentifier><Id>x</Id>",
                "<SignedIdentifiers></Other>",
                "<SignedIdentifiers>&undefined;</SignedIdentifiers>",
                "<SignedIdentifiers/><SignedIdentifiers/>",
                "<Other/>",
                "text",
                "<",
            })
    void xml_that_is_malformed_or_has_entities_is_refused(String xml) throws IOException {
        for (String document : List.of("/" + TABLE + "?comp=acl", "/?restype=service&comp=properties")) {
            RawResponse answer = ask(RawRequest.of("PUT", document)
                    .with("Content-Type", "application/xml")
                    .body(xml.getBytes(StandardCharsets.UTF_8)));
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.body()).contains("<m:code>InvalidXmlDocument</m:code>");
        }
        assertThat(ask(RawRequest.of("GET", "/" + TABLE + "?comp=acl")).body()).endsWith("<SignedIdentifiers />");
    }

    @Test
    void xml_of_any_depth_is_refused_without_overflow() throws IOException {
        RawResponse answer = ask(RawRequest.of("PUT", "/" + TABLE + "?comp=acl")
                .with("Content-Type", "application/xml")
                .body("<a>".repeat(100_000).getBytes(StandardCharsets.UTF_8)));
        assertThat(answer.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET\r\n\r\n",
                "GET /\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost:\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nspaced : value\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\u0000y\r\n\r\n",
                "GET  /  HTTP/1.1\r\nHost: x\r\n\r\n",
                "FROB /devstoreaccount1/Tables HTTP/1.1\r\nHost: x\r\n\r\n",
                "CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: x\r\n\r\n",
                "TRACE /devstoreaccount1 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET * HTTP/1.1\r\nHost: x\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET //// HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /devstoreaccount1/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /devstoreaccount1?&&&=&%3D= HTTP/1.1\r\nHost: x\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
            })
    void requests_that_are_none_are_refused(String text) throws IOException {
        RawResponse answer = refused(text);
        assertThat(answer.status()).as(answer.text()).isBetween(400, 505);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n\r\n\r\n", "GET /devst", "GET / HTTP/1.1\r\nHost: x\r\n"})
    void a_connection_without_a_complete_head_is_closed_without_a_response(String text) throws IOException {
        assertThat(send(text)).isEmpty();
    }

    @Test
    void http_1_0_is_served() throws IOException {
        String request = new String(RawRequest.of("GET", "/Tables").bytes(), StandardCharsets.UTF_8)
                .replace("HTTP/1.1", "HTTP/1.0");
        assertThat(answerTo(request).status()).isEqualTo(200);
    }

    @Test
    void random_bytes_do_no_harm() throws IOException {
        Random random = new Random(20260302);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[1 + random.nextInt(600)];
            random.nextBytes(bytes);
            refusedOrClosed(bytes);
        }
    }

    @Test
    void a_valid_request_with_random_faults_is_refused_or_ended() throws IOException {
        Random random = new Random(20260303);
        RawRequest request = insert("kept");
        byte[] valid = request.bytes();
        // A fault in the body could make another entity of it, which would be right to insert.
        int head = valid.length - request.body().length;
        for (int i = 0; i < 300; i++) {
            byte[] faulty = valid.clone();
            for (int fault = 0; fault <= random.nextInt(4); fault++) {
                faulty[random.nextInt(head)] = (byte) random.nextInt(256);
            }
            refusedOrClosed(faulty);
        }
    }

    @Test
    void a_request_sent_byte_by_byte_is_served() throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            for (byte octet : insert("kept").bytes()) {
                connection.send(new byte[] {octet});
            }
            assertThat(connection.response().status()).isEqualTo(409);
        }
    }

    @Test
    void senders_that_stall_do_not_keep_others_waiting() throws IOException {
        List<RawConnection> stalled = new ArrayList<>();
        try {
            byte[] request = insert("stalled").bytes();
            for (int i = 0; i < 100; i++) {
                RawConnection connection = new RawConnection(server());
                stalled.add(connection);
                connection.send(Arrays.copyOf(request, request.length - 1 - i));
            }
            assertThat(ask(insert("kept")).status()).isEqualTo(409);
        } finally {
            for (RawConnection connection : stalled) {
                connection.close();
            }
        }
    }

    @Test
    void a_client_that_closes_its_side_after_a_request_gets_its_response() throws IOException {
        assertThat(refused(insert("kept").bytes()).status()).isEqualTo(409);
    }

    @Test
    void clients_that_leave_before_the_answer_do_no_harm() throws IOException {
        for (int i = 0; i < 50; i++) {
            try (RawConnection connection = new RawConnection(server())) {
                connection.send(RawRequest.of("GET", "/" + TABLE + "()").bytes());
            }
        }
    }

    @Test
    void pipelined_requests_are_answered_in_order() throws IOException {
        try (RawConnection connection = new RawConnection(server())) {
            connection.send(RawRequest.of("GET", "/Tables").bytes());
            connection.send(insert("kept").bytes());
            connection.send(RawRequest.of("GET", "/" + TABLE + "(PartitionKey='p',RowKey='absent')")
                    .bytes());
            assertThat(connection.response().status()).isEqualTo(200);
            assertThat(connection.response().status()).isEqualTo(409);
            assertThat(connection.response().status()).isEqualTo(404);
        }
    }
}
