package dev.trestle.server.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends the given bytes and reads one response after another. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** A response as it was read. */
    record Answer(String head, byte[] body) {
        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    RawClient(StreamingServer server) throws IOException {
        this(server, new Socket());
    }

    /** @param socket not yet connected */
    RawClient(StreamingServer server, Socket socket) throws IOException {
        server.connect(socket);
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    RawClient head(String method, String... headers) throws IOException {
        StringBuilder head =
                new StringBuilder(method + " " + StreamingServer.TARGET + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return send(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
    }

    RawClient send(byte[] bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.US_ASCII));
    }

    String readHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended within a head: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    Answer readAnswer() throws IOException {
        String head = readHead();
        return new Answer(head, in.readNBytes((int) contentLength(head)));
    }

    static long contentLength(String head) {
        for (String line : head.lines().toList()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                return Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return 0;
    }

    InputStream in() {
        return in;
    }

    Socket socket() {
        return socket;
    }

    /** Closes the connection in the middle of a request or response. */
    void leave() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
