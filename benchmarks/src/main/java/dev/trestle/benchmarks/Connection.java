package dev.trestle.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One kept-alive HTTP connection that does as little as a client can, so that the server is what is measured. */
final class Connection implements AutoCloseable {
    private static final int READ_BUFFER_BYTES = 64 * 1024;

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private final byte[] skipped = new byte[READ_BUFFER_BYTES];

    Connection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream(), READ_BUFFER_BYTES);
    }

    /** Sends the head and body, reads the whole answer and returns its status. */
    int exchange(String head, byte[] body) throws IOException {
        byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        out.write(all);
        String statusLine = line();
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        while (length > 0) {
            int read = in.read(skipped, 0, Math.min(length, skipped.length));
            if (read < 0) {
                throw new IOException("the answer ended early");
            }
            length -= read;
        }
        return Integer.parseInt(statusLine.substring(9, 12));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(80);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
