package dev.trestle.server;

import dev.trestle.server.http.Trusting;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

    private static final int ACK = 1;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;
    private static final int PATIENCE_MILLIS = 20_000;

    /** The one octet that HPACK has for the status 200. */
    private static final byte STATUS_200 = (byte) 0x88;

    /** What came of a request. */
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
    }

    RawHttp2 frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        out.write(frame.array());
        return this;
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

    /** What comes first: an answer, or the end of the request or of the connection. */
    Outcome outcome() throws IOException {
        while (true) {
            int length;
            try {
                length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            } catch (IOException e) {
                return Outcome.ENDED;
            }
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.readInt();
            byte[] payload = in.readNBytes(length);
            switch (type) {
                case HEADERS -> {
                    int first = (flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES;
                    return payload[first] == STATUS_200 ? Outcome.SERVED : Outcome.REFUSED;
                }
                case RST_STREAM -> {
                    return Outcome.RESET;
                }
                case GOAWAY -> {
                    return Outcome.ENDED;
                }
                case SETTINGS -> {
                    if ((flags & ACK) == 0) {
                        frame(SETTINGS, ACK, 0, new byte[0]);
                    }
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
