package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.RawHttp2.Outcome;
import dev.trestle.server.ServerConfig.TlsFiles;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import dev.trestle.server.http.Trusting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attacks that need HTTP/2: rapid resets, fragmented heads, any octet in headers. */
class Http2AttackTest {
    private static TlsFiles certificate;
    private static GuardedServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        certificate = Trusting.pem(folder);
        server = GuardedServer.withTls(certificate, HttpConfig.DEFAULT);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String[] list(String... more) {
        String[] head = {
            ":method", "GET",
            ":scheme", "https",
            ":path", "/devstoreaccount1/Tables?" + GuardedServer.owner(),
            ":authority", "localhost"
        };
        return Stream.of(head, more).flatMap(Stream::of).toArray(String[]::new);
    }

    private static RawHttp2 connect() throws Exception {
        return new RawHttp2(server.port(Service.TABLE));
    }

    private static Outcome outcome(String... headers) throws Exception {
        return outcome(server, headers);
    }

    private static Outcome outcome(GuardedServer asked, String... headers) throws Exception {
        try (RawHttp2 client = new RawHttp2(asked.port(Service.TABLE))) {
            int whole = RawHttp2.END_STREAM | RawHttp2.END_HEADERS;
            return client.frame(RawHttp2.HEADERS, whole, 1, RawHttp2.headers(headers))
                    .outcome();
        }
    }

    @Test
    void a_plain_request_is_served() throws Exception {
        assertThat(outcome(list())).isEqualTo(Outcome.SERVED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x-ms-client-request-id|'a\r\nSet-Cookie: a=b'",
                "x-ms-client-request-id|'a\rb'",
                "x-a|'a\nContent-Length: 9'",
                "'x-a: b\r\nx-b'|c",
                "X-Upper|a",
                "transfer-encoding|chunked",
                "connection|keep-alive",
                ":path|/otheraccount/Tables",
                ":authority|otheraccount.localhost",
                ":unknown|a",
                "content-length|9",
                "host|'a\"b'",
            })
    void a_head_that_http_1_could_not_carry_is_not_served(String name, String value) throws Exception {
        assertThat(outcome(list(name, value))).isNotEqualTo(Outcome.SERVED);
    }

    @Test
    void a_head_beyond_the_limit_is_not_served() throws Exception {
        assertThat(outcome(list("x-long", "x".repeat(HttpLimits.HTTP2_HEADERS_BYTES_MAX))))
                .isNotEqualTo(Outcome.SERVED);
    }

    @Test
    void a_head_counts_against_the_memory_for_requests() throws Exception {
        HttpConfig tight = new HttpConfig(10, 100, RateLimits.NONE);
        try (GuardedServer full = GuardedServer.withTls(certificate, tight)) {
            assertThat(outcome(full, list())).isEqualTo(Outcome.REFUSED);
        }
    }

    @Test
    void a_body_of_another_length_than_was_said_is_not_acted_on() throws Exception {
        byte[] head = RawHttp2.headers(
                ":method", "POST",
                ":scheme", "https",
                ":path", "/devstoreaccount1/Tables?" + GuardedServer.owner(),
                ":authority", "localhost",
                "content-type", "application/json",
                "content-length", "5");
        byte[] body = "{\"TableName\":\"smuggled\"}".getBytes(StandardCharsets.US_ASCII);
        try (RawHttp2 client = connect()) {
            client.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head)
                    .frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, body);
            assertThat(client.outcome()).isNotEqualTo(Outcome.SERVED);
        }
        String path = "/devstoreaccount1/Tables('smuggled')?" + GuardedServer.owner();
        assertThat(outcome(":method", "GET", ":scheme", "https", ":path", path, ":authority", "localhost"))
                .isEqualTo(Outcome.REFUSED);
    }

    @Test
    void who_calls_off_requests_without_end_is_sent_away() throws Exception {
        byte[] head = RawHttp2.headers(list());
        try (RawHttp2 client = connect()) {
            int whole = RawHttp2.END_STREAM | RawHttp2.END_HEADERS;
            try {
                for (int stream = 1; stream < 3 * HttpLimits.HTTP2_RESETS_MAX; stream += 2) {
                    client.frame(RawHttp2.HEADERS, whole, stream, head)
                            .frame(RawHttp2.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
                }
            } catch (IOException e) {
                // It has been sent away already.
            }
            Outcome outcome = client.outcome();
            while (outcome == Outcome.SERVED || outcome == Outcome.RESET) {
                outcome = client.outcome();
            }
            assertThat(outcome).isEqualTo(Outcome.ENDED);
        }
        assertThat(outcome(list())).as("others").isEqualTo(Outcome.SERVED);
    }

    @Test
    void a_head_in_crumbs_ends_the_connection() throws Exception {
        byte[] crumb = RawHttp2.headers("x-a", "b");
        try (RawHttp2 client = connect()) {
            client.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.headers(list()));
            try {
                for (int i = 0; i < 4 * HttpLimits.HTTP2_SMALL_CONTINUATIONS_MAX; i++) {
                    client.frame(RawHttp2.CONTINUATION, 0, 1, crumb);
                }
            } catch (IOException e) {
                // It has ended already.
            }
            assertThat(client.outcome()).isEqualTo(Outcome.ENDED);
        }
    }

    /** A greeting in the version with the octets 3 and {@code minor}, which offers what such clients have. */
    private static byte[] hello(int minor) {
        byte[] extensions = {
            0,
            10,
            0,
            6,
            0,
            4,
            0,
            23,
            0,
            24, // curves
            0,
            11,
            0,
            2,
            1,
            0, // uncompressed points
            0,
            13,
            0,
            6,
            0,
            4,
            4,
            3,
            5,
            3 // signatures
        };
        byte[] ciphers = {(byte) 0xC0, 0x2B, (byte) 0xC0, 0x09};
        ByteBuffer body = ByteBuffer.allocate(200)
                .put((byte) 3)
                .put((byte) minor)
                .put(new byte[32])
                .put((byte) 0);
        body.putShort((short) ciphers.length).put(ciphers).put((byte) 1).put((byte) 0);
        body.putShort((short) extensions.length).put(extensions).flip();
        int length = body.remaining();
        return ByteBuffer.allocate(9 + length)
                .put((byte) 22)
                .put((byte) 3)
                .put((byte) 1)
                .putShort((short) (4 + length))
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) length)
                .put(body)
                .array();
    }

    @ParameterizedTest
    @CsvSource({"0,21", "1,21", "2,21", "3,22"})
    void old_versions_of_tls_are_not_spoken(int minor, int answer) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(Service.TABLE))) {
            socket.getOutputStream().write(hello(minor));
            assertThat(socket.getInputStream().read())
                    .as("22 goes on with it, 21 is an alert")
                    .isEqualTo(answer);
        }
    }
}
