package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Guarantees of every transport. */
class SocketTransportTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String HEAD = "GET /devstoreaccount1/Tables HTTP/1.1\r\nHost: localhost\r\n";

    @ParameterizedTest
    @MethodSource("dev.trestle.server.sockets.SystemTransports#present")
    void connections_reset_within_a_head_are_noticed_to_be_gone(SocketTransport transport) throws Exception {
        try (RunningServer server = serve(transport)) {
            for (int i = 0; i < 300; i++) {
                try (Socket socket = connect(server)) {
                    socket.setSoLinger(true, 0);
                    send(socket, HEAD.substring(0, HEAD.length() - i % HEAD.length()));
                }
            }

            // Much earlier than the idle timeout.
            server.awaitMetric("trestle_connections 0.0\n");
            assertThat(server.metrics()).contains("trestle_connections 0.0");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.trestle.server.sockets.SystemTransports#present")
    void a_client_that_has_closed_its_side_gets_its_answer(SocketTransport transport) throws Exception {
        try (RunningServer server = serve(transport);
                Socket socket = connect(server)) {
            send(socket, HEAD + "\r\n");
            socket.shutdownOutput();

            socket.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.trestle.server.sockets.SystemTransports#present")
    void requests_and_answers_of_any_size_go_through(SocketTransport transport) throws Exception {
        try (RunningServer server = serve(transport)) {
            server.createTable("orders");
            for (int bytes : new int[] {1, 2_000, 5_000, 60_000, 400_000}) {
                String row = "of" + bytes;
                assertThat(server.insertLarge("orders", "eu", row, bytes).statusCode())
                        .isEqualTo(201);
                HttpResponse<String> answer = server.get("orders", "eu", row);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body().chars().filter(letter -> letter == 'x').count())
                        .isGreaterThanOrEqualTo(bytes);
            }
        }
    }

    /** Where the system has all of them, the same is tested with a server that may load no native code. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("dev.trestle.server.sockets.SystemTransports#missing")
    void a_transport_that_the_system_does_not_have_is_refused_with_a_sentence(SocketTransport transport) {
        assertThatThrownBy(() -> serve(transport))
                .isInstanceOf(ServerStartException.class)
                .hasMessage("This system has no " + transport
                        + " for the server to use. Leave the choice to it with --transport auto.");
    }

    private static RunningServer serve(SocketTransport transport) {
        return new RunningServer(
                new ModelEngine(InstantSource.system()), HttpConfig.DEFAULT, Optional.empty(), transport);
    }

    private static Socket connect(RunningServer server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.tablePort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
