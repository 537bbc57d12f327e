package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A connection to the server on which a test can send any bytes. */
final class RawConnection implements AutoCloseable {
    private static final int READ_TIME_MAX_MILLIS = 60_000;

    private static final int NARROW_BYTES = 4096;

    private final Socket socket;
    private final InputStream in;

    RawConnection(TrestleProcess server) throws IOException {
        this(server.port());
    }

    RawConnection(int port) throws IOException {
        this(port, new Socket());
    }

    private RawConnection(int port, Socket unconnected) throws IOException {
        socket = unconnected;
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(READ_TIME_MAX_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Returns a connection with a small receive buffer, so that the server soon has to wait. */
    static RawConnection narrow(TrestleProcess server) throws IOException {
        return narrow(server.port());
    }

    /** Like {@link #narrow(TrestleProcess)}, to this port. */
    static RawConnection narrow(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(NARROW_BYTES);
        return new RawConnection(port, socket);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    RawResponse exchange(RawRequest request) throws IOException {
        send(request.bytes());
        return RawResponse.read(in, request.method().equals("HEAD"));
    }

    RawResponse response() throws IOException {
        return RawResponse.read(in, false);
    }

    /** Waits for the first byte of a response, and does not consume it. */
    void awaitResponse() throws IOException {
        in.mark(1);
        assertThat(in.read()).as("the first byte of a response").isNotNegative();
        in.reset();
    }

    /** Closes the sending side. */
    void finishSending() throws IOException {
        socket.shutdownOutput();
    }

    /**
     * Reads until the server closes the connection. A reset ends it too: the server closed it with unread input.
     */
    String readToEnd() throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] buffer = new byte[8192];
        try {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                text.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException reset) {
            return text.toString();
        }
        return text.toString();
    }

    /** Resets the connection, as a crashed client does. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Reads and discards bytes. */
    void skip(int bytes) throws IOException {
        in.readNBytes(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
