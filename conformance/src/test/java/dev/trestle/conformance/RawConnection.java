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

/** A socket to the server on which anything may be written. */
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

    /** One whose system takes next to nothing off the server's hands. */
    static RawConnection narrow(TrestleProcess server) throws IOException {
        return narrow(server.port());
    }

    /** The same to this port. */
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

    RawAnswer exchange(RawRequest request) throws IOException {
        send(request.bytes());
        return RawAnswer.read(in, request.method().equals("HEAD"));
    }

    RawAnswer answer() throws IOException {
        return RawAnswer.read(in, false);
    }

    /** Returns as soon as an answer begins, and leaves it to be read. */
    void awaitAnswer() throws IOException {
        in.mark(1);
        assertThat(in.read()).as("the first byte of an answer").isNotNegative();
        in.reset();
    }

    /** Says that nothing more will be sent, while still reading. */
    void finishSending() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads until the server closes; a reset is an end too, seen when it closed with bytes of ours unread. */
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

    /** Ends without a farewell, as a client does that crashes. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Reads some bytes and throws them away. */
    void skip(int bytes) throws IOException {
        in.readNBytes(bytes);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
