package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.http.Trusting;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A connection of HTTP/2 whose frames are written one by one, also such as no client would write. */
final class RawHttp2 implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    /** The default maximum size of a frame. */
    static final int FRAME_BYTES_MAX = 16 * 1024;

    private static final int ACK = 1;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;
    private static final int PATIENCE_MILLIS = 20_000;

    /** The one octet that HPACK has for the status 200. */
    private static final byte STATUS_200 = (byte) 0x88;

    /** The outcome of a request. */
    enum Outcome {
        SERVED,
        REFUSED,
        RESET,
        ENDED
    }

    private final SSLSocket socket;
    private final OutputStream out;
    private final DataInputStream in;

    RawHttp2(int port) throws Exception {
        socket = (SSLSocket) Trusting.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        out = socket.getOutputStream();
        in = new DataInputStream(socket.getInputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(SETTINGS, 0, 0, new byte[0]);
        // Before anything else, because nothing may come between the frames of a head.
        assertThat(read().type()).as("the first frame of a server").isEqualTo(SETTINGS);
        frame(SETTINGS, ACK, 0, new byte[0]);
    }

    RawHttp2 frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        out.write(frame.array());
        return this;
    }

    /** Returns the head of a request, in as many frames as necessary. */
    RawHttp2 head(int flags, int stream, byte[] block) throws IOException {
        int length = Math.min(block.length, FRAME_BYTES_MAX);
        boolean whole = length == block.length;
        frame(HEADERS, flags | (whole ? END_HEADERS : 0), stream, Arrays.copyOf(block, length));
        return whole ? this : rest(stream, block, length);
    }

    private RawHttp2 rest(int stream, byte[] block, int start) throws IOException {
        int end = Math.min(block.length, start + FRAME_BYTES_MAX);
        boolean whole = end == block.length;
        frame(CONTINUATION, whole ? END_HEADERS : 0, stream, Arrays.copyOfRange(block, start, end));
        return whole ? this : rest(stream, block, end);
    }

    /** Headers in the plainest form there is: names and values as they are, none remembered. */
    static byte[] headers(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(0);
            text(block, namesAndValues[i]);
            text(block, namesAndValues[i + 1]);
        }
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int rest = bytes.length - 127;
        block.write(Math.min(bytes.length, 127));
        if (rest >= 0) {
            while (rest >= 128) {
                block.write(rest % 128 + 128);
                rest /= 128;
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    private record Frame(int type, int flags, byte[] payload) {}

    private Frame read() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        in.readInt();
        return new Frame(type, flags, in.readNBytes(length));
    }

    /** Returns the first event: a response, or the end of the request or of the connection. */
    Outcome outcome() throws IOException {
        while (true) {
            Frame frame;
            try {
                frame = read();
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                return Outcome.ENDED;
            }
            switch (frame.type) {
                case HEADERS -> {
                    int first = (frame.flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES;
                    return frame.payload[first] == STATUS_200 ? Outcome.SERVED : Outcome.REFUSED;
                }
                case RST_STREAM -> {
                    return Outcome.RESET;
                }
                case GOAWAY -> {
                    return Outcome.ENDED;
                }
                default -> {}
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
