package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads responses from a socket with prepared output. */
class ConnectionTest {
    private static final ByteText REQUEST = new ByteText().text("GET / HTTP/1.1\r\n\r\n");

    private final StringBuilder body = new StringBuilder();

    /** Exchanges one request for each response, which is sent in the given pieces; returns the last status. */
    private int exchange(String[]... answers) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answer(server, answers));
            thread.start();
            int status = 0;
            try (Connection connection = new Connection(new Address("127.0.0.1", server.getLocalPort(), false))) {
                for (int i = 0; i < answers.length; i++) {
                    body.setLength(0);
                    status = connection.exchange(
                            REQUEST,
                            (data, from, to) -> body.append(new String(data, from, to - from, StandardCharsets.UTF_8)));
                }
            }
            thread.join();
            return status;
        }
    }

    private static void answer(ServerSocket server, String[][] answers) {
        try (Socket socket = server.accept()) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            for (String[] pieces : answers) {
                socket.getInputStream().readNBytes(REQUEST.length());
                for (String piece : pieces) {
                    out.write(piece.getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String[] whole(String answer) {
        return new String[] {answer};
    }

    @Test
    void a_body_of_known_length_is_read_whole_and_no_further() throws IOException, InterruptedException {
        int status = exchange(
                whole("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
                whole("HTTP/1.1 404 Not Found\r\ncontent-length:3\r\nServer: x\r\n\r\nbye"));
        assertThat(status).isEqualTo(404);
        assertThat(body).hasToString("bye");
    }

    @Test
    void a_body_in_chunks_is_joined() throws IOException, InterruptedException {
        String answer =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=1\r\n, world!!!\r\n0\r\n\r\n";
        int status = exchange(whole(answer), answer.split("(?<=.)", -1));
        assertThat(status).isEqualTo(200);
        assertThat(body).hasToString("hello, world!!!");
    }

    @Test
    void no_content_has_no_body() throws IOException, InterruptedException {
        assertThat(exchange(whole("HTTP/1.1 204 No Content\r\n\r\n"), whole("HTTP/1.1 204 No Content\r\n\r\n")))
                .isEqualTo(204);
        assertThat(body).isEmpty();
    }

    @Test
    void an_answer_that_ends_early_is_an_error() {
        assertThatThrownBy(() -> exchange(whole("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell")))
                .isInstanceOf(IOException.class)
                .hasMessage("the server closed the connection");
        assertThatThrownBy(() -> exchange(whole("HTTP/1.1 200 OK\r\n\r\n"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> exchange(whole("SSH-2.0-OpenSSH_9.2p1 Debian\r\n")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void marks_are_counted_across_pieces() {
        MarkCounter counter = new MarkCounter(Request.Counted.ENTITIES.mark());
        byte[] text =
                "[{\"RowKey\":\"a\"},{\"\"RowKey\":\"\\\"RowKey\\\":\"},{\"RowKey\":1".getBytes(StandardCharsets.UTF_8);
        for (int size = 1; size <= text.length; size++) {
            counter.reset();
            for (int from = 0; from < text.length; from += size) {
                counter.bytes(text, from, Math.min(text.length, from + size));
            }
            assertThat(counter.count()).isEqualTo(3);
        }
    }
}
