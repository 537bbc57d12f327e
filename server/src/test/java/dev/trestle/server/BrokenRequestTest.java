package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.sockets.SocketTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that the codec cannot decode get a response if there can be one, and then the connection ends. */
class BrokenRequestTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final List<String> BROKEN_CHUNKS =
            List.of("zz\r\nabc\r\n0\r\n\r\n", "-1\r\nabc\r\n0\r\n\r\n", "3\r\nabcXX0\r\n\r\n", "3\r\nabc0\r\n\r\n");

    private static Stream<SocketTransport> transports() {
        return Arrays.stream(SocketTransport.values())
                .filter(transport -> transport.choose().available());
    }

    @ParameterizedTest
    @MethodSource("transports")
    void broken_chunks_are_answered_with_400_before_the_connection_ends(SocketTransport transport) throws IOException {
        try (GuardedServer server = start(transport)) {
            for (Service service : List.of(Service.TABLE, Service.BLOB)) {
                for (String chunks : BROKEN_CHUNKS) {
                    String text = exchange(server.port(service), upload(service) + chunks);
                    assertThat(text).as(chunks).startsWith("HTTP/1.1 400 ").contains("Connection: close");
                    assertThat(text.split("HTTP/1.1 ", -1)).as(text).hasSize(2);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void a_broken_chunk_does_not_take_the_response_from_the_request_before_it(SocketTransport transport)
            throws IOException {
        try (GuardedServer server = start(transport)) {
            for (Service service : List.of(Service.TABLE, Service.BLOB)) {
                String list = service == Service.TABLE ? "/Tables?" : "/?comp=list&";
                String before = GuardedServer.request("GET", "/devstoreaccount1" + list + GuardedServer.owner(), "");
                String text = exchange(server.port(service), before + upload(service) + BROKEN_CHUNKS.get(0));
                List<String> statuses = Arrays.stream(text.split("HTTP/1.1 ", -1))
                        .skip(1)
                        .map(answer -> answer.substring(0, 3))
                        .toList();
                assertThat(statuses).containsExactly("200", "400");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void a_few_blank_lines_before_a_request_are_passed_over(SocketTransport transport) throws IOException {
        try (GuardedServer server = start(transport)) {
            String list = GuardedServer.request("GET", "/devstoreaccount1/Tables?" + GuardedServer.owner(), "");
            List<Answer> answers = GuardedServer.answers(server.port(Service.TABLE), "\r\n\r\n" + list + "\r\n" + list);
            assertThat(answers).extracting(Answer::status).containsExactly(200, 200);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void blank_lines_without_end_end_the_connection(SocketTransport transport) throws IOException {
        try (GuardedServer server = start(transport)) {
            for (String blank : List.of("\r\n", "\n", " ", "\0")) {
                assertThat(exchange(server.port(Service.TABLE), blank.repeat(100_000)))
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void blank_lines_without_end_after_a_request_end_the_connection(SocketTransport transport) throws IOException {
        String list = GuardedServer.request("GET", "/devstoreaccount1/?comp=list&" + GuardedServer.owner(), "");
        try (GuardedServer server = start(transport);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(Service.BLOB))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(list.getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            // Reading ends, or it would time out; a reset may take the rest of the response along.
            send(socket, "\r\n".repeat(100_000));
        }
    }

    private static GuardedServer start(SocketTransport transport) throws IOException {
        GuardedServer server = GuardedServer.on(transport);
        server.owner(Service.TABLE, "POST", "/Tables", "{\"TableName\":\"orders\"}", "Content-Type: application/json");
        server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
        return server;
    }

    private static String upload(Service service) {
        String first = service == Service.TABLE
                ? "POST /devstoreaccount1/orders?%s HTTP/1.1\r\nContent-Type: application/json\r\n"
                : "PUT /devstoreaccount1/files/a?%s HTTP/1.1\r\nx-ms-blob-type: BlockBlob\r\n";
        return first.formatted(GuardedServer.owner()) + "Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    /** Sends this and reads until the server ends the connection. */
    private static String exchange(int port, String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            return send(socket, bytes);
        }
    }

    private static String send(Socket socket, String bytes) throws IOException {
        StringBuilder text = new StringBuilder();
        try {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                text.append((char) next);
            }
        } catch (SocketException closed) {
            // It ended with bytes still unread.
        }
        return text.toString();
    }
}
