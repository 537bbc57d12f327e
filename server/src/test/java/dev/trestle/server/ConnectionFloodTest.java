package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.sockets.SocketTransport;
import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections beyond the limit. */
class ConnectionFloodTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final String HEAD = "GET /devstoreaccount1/Tables?%s HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    private static final String REQUEST = HEAD.formatted(RunningServer.SAS) + "\r\n";

    private final ModelEngine engine = new ModelEngine(InstantSource.system());
    private final List<Socket> opened = new ArrayList<>();

    private static Stream<SocketTransport> transports() {
        return Arrays.stream(SocketTransport.values())
                .filter(transport -> transport.choose().available());
    }

    @ParameterizedTest
    @MethodSource("transports")
    void the_connection_idle_longest_is_closed_for_a_new_one(SocketTransport transport) throws Exception {
        try (RunningServer server = serve(new HttpConfig(3, 1 << 20, RateLimits.NONE), transport)) {
            Socket used = connect(server, 1);
            server.awaitMetric("trestle_connections 1.0\n");
            Socket silent = connect(server, 2);
            server.awaitMetric("trestle_connections 2.0\n");
            Socket withinHead = connect(server, 3);
            withinHead.getOutputStream().write(HEAD.getBytes(StandardCharsets.US_ASCII));
            server.awaitMetric("trestle_connections 3.0\n");
            assertServed(used);

            Socket first = connect(server, 4);
            assertServed(first);
            assertClosed(silent);
            Socket second = connect(server, 5);
            assertServed(second);
            assertClosed(withinHead);
            assertServed(used);
            assertThat(server.metrics())
                    .contains("trestle_connections 3.0\n", "trestle_connections_evicted_total 2.0\n");
        } finally {
            closeAll();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void a_new_connection_is_refused_if_all_have_requests_in_flight(SocketTransport transport) throws Exception {
        try (RunningServer server = serve(new HttpConfig(2, 1 << 20, RateLimits.NONE), transport)) {
            List<Socket> busy = List.of(beginRequest(server, 1), beginRequest(server, 2));
            server.awaitMetric("trestle_requests_in_flight 2.0\n");

            assertClosed(connect(server, 3));
            assertThat(server.metrics()).contains("trestle_connections_refused_total 1.0\n");
            for (Socket connection : busy) {
                connection.getOutputStream().write('x');
                assertThat(readAnswer(connection)).startsWith("HTTP/1.1 4");
            }
            assertServed(connect(server, 4));
        } finally {
            closeAll();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void one_address_cannot_take_all_connections(SocketTransport transport) throws Exception {
        HttpConfig limits = new HttpConfig(10, 1 << 20, RateLimits.NONE).withConnectionsPerAddressMax(2);
        try (RunningServer server = serve(limits, transport)) {
            Socket idle = connect(server, 1);
            server.awaitMetric("trestle_connections 1.0\n");
            Socket busy = beginRequest(server, 1);
            server.awaitMetric("trestle_requests_in_flight 1.0\n");
            beginRequest(server, 1);
            assertClosed(idle);
            server.awaitMetric("trestle_requests_in_flight 2.0\n");

            assertClosed(connect(server, 1));
            assertServed(connect(server, 2));
            busy.getOutputStream().write('x');
            assertThat(readAnswer(busy)).startsWith("HTTP/1.1 4");
            assertServed(connect(server, 1));
        } finally {
            closeAll();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void everybody_is_served_while_one_client_connects_again_and_again(SocketTransport transport) throws Exception {
        try (RunningServer server = serve(new HttpConfig(20, 1 << 20, RateLimits.NONE), transport)) {
            Socket steady = connect(server, 2);
            for (int i = 0; i < 200; i++) {
                connect(server, 1);
                if (i % 20 == 0) {
                    assertServed(steady);
                    assertServed(connect(server, 3));
                }
            }
            assertServed(steady);
            assertThat(server.metrics()).contains("trestle_connections_per_address_limit 18.0\n");
        } finally {
            closeAll();
        }
    }

    private RunningServer serve(HttpConfig limits, SocketTransport transport) {
        return new RunningServer(engine, limits, Optional.empty(), transport);
    }

    /** Connects from an address of this machine that ends like this. */
    private Socket connect(RunningServer server, int address) throws IOException {
        InetAddress from = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) address});
        Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), server.tablePort(), from, 0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        opened.add(socket);
        return socket;
    }

    /** Begins a request whose body of one byte is still to come. */
    private Socket beginRequest(RunningServer server, int address) throws IOException {
        Socket socket = connect(server, address);
        String head = "POST /devstoreaccount1/Tables?" + GuardedServer.owner()
                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void assertServed(Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        assertThat(readAnswer(socket)).startsWith("HTTP/1.1 200 ");
    }

    private static String readAnswer(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        int length = -1;
        while (length < 0 || text.length() < length) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the connection ended within an answer: " + text);
            }
            text.append((char) next);
            if (length < 0 && text.indexOf("\r\n\r\n") >= 0) {
                length = text.length() + contentLength(text.toString());
            }
        }
        return text.toString();
    }

    private static int contentLength(String head) {
        return head.lines()
                .filter(line -> line.startsWith("Content-Length: "))
                .mapToInt(line -> Integer.parseInt(line.substring("Content-Length: ".length())))
                .sum();
    }

    private static void assertClosed(Socket socket) throws IOException {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException reset) {
            // It was closed with bytes still unread.
        }
    }

    private void closeAll() throws IOException {
        for (Socket socket : opened) {
            socket.close();
        }
    }
}
