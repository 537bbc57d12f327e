package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A minimal keep-alive HTTP connection, so that the server and not the client is measured. It is confined to one thread,
 * except that any thread may close it. Reads have no timeout, which would cost a system call per read: {@link Round}
 * closes the connection when its time is over.
 */
final class Connection implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** Servers close idle connections, some after few seconds; a connection that was idle longer is opened again. */
    private static final long IDLE_NANOS_MAX = Duration.ofSeconds(2).toNanos();

    private final Address address;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private volatile Socket socket;
    private OutputStream out;
    private InputStream in;
    private int at;
    private int limit;
    private long lastUsedNanos;
    private boolean usedUp;

    private int lineStart;
    private int lineEnd;
    private long bodyLength;
    private boolean chunked;

    @Nullable
    private String server;

    /** Receives the bytes of a body as they arrive. */
    interface Body {
        Body IGNORED = (data, from, to) -> {};

        void bytes(byte[] data, int from, int to);
    }

    Connection(Address address) throws IOException {
        this.address = address;
        this.socket = address.connect();
        this.out = socket.getOutputStream();
        this.in = socket.getInputStream();
        this.lastUsedNanos = System.nanoTime();
    }

    /** Sends the request, reads the whole response and returns its status. */
    int exchange(ByteText request, Body body) throws IOException {
        if (usedUp || System.nanoTime() - lastUsedNanos > IDLE_NANOS_MAX) {
            renew();
        }
        out.write(request.data(), 0, request.length());
        int status = head();
        if (chunked) {
            chunks(body);
        } else if (status != 204) {
            if (bodyLength < 0) {
                throw new IOException("a response has no length");
            }
            body(body, bodyLength);
        }
        lastUsedNanos = System.nanoTime();
        return status;
    }

    /** Returns the server's name from the Server header of the last response. */
    String server() {
        return server == null ? "" : server;
    }

    private void renew() throws IOException {
        socket.close();
        socket = address.connect();
        out = socket.getOutputStream();
        in = socket.getInputStream();
        at = 0;
        limit = 0;
        usedUp = false;
    }

    private int head() throws IOException {
        bodyLength = -1;
        chunked = false;
        line();
        if (lineEnd - lineStart < 12 || buffer[lineStart] != 'H') {
            throw new IOException("the response is not HTTP");
        }
        int status = (buffer[lineStart + 9] - '0') * 100
                + (buffer[lineStart + 10] - '0') * 10
                + (buffer[lineStart + 11] - '0');
        for (line(); lineEnd > lineStart; line()) {
            if (headerIs("content-length:")) {
                bodyLength = Long.parseLong(headerValue("content-length:"));
            } else if (headerIs("transfer-encoding:")) {
                chunked = headerValue("transfer-encoding:").equalsIgnoreCase("chunked");
            } else if (headerIs("connection:")) {
                usedUp = headerValue("connection:").equalsIgnoreCase("close");
            } else if (server == null && headerIs("server:")) {
                server = headerValue("server:");
            }
        }
        return status;
    }

    private boolean headerIs(String name) {
        if (lineEnd - lineStart < name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            // In header names this bit is only the case.
            if ((buffer[lineStart + i] | 0x20) != (name.charAt(i) | 0x20)) {
                return false;
            }
        }
        return true;
    }

    private String headerValue(String name) {
        int from = lineStart + name.length();
        return new String(buffer, from, lineEnd - from, StandardCharsets.ISO_8859_1).strip();
    }

    private void body(Body body, long bytes) throws IOException {
        for (long rest = bytes; rest > 0; ) {
            if (at == limit) {
                at = 0;
                limit = 0;
                fill();
            }
            int here = (int) Math.min(rest, limit - at);
            body.bytes(buffer, at, at + here);
            at += here;
            rest -= here;
        }
    }

    private void chunks(Body body) throws IOException {
        while (true) {
            line();
            String size = new String(buffer, lineStart, lineEnd - lineStart, StandardCharsets.ISO_8859_1);
            long bytes = Long.parseLong(size.split(";", 2)[0].strip(), 16);
            body(body, bytes);
            line();
            if (bytes == 0) {
                // No known server sends trailers, and the empty line that ends them was just read.
                return;
            }
        }
    }

    /** Moves to the next line, which is between {@link #lineStart} and {@link #lineEnd} until the next one. */
    private void line() throws IOException {
        int scan = at;
        while (true) {
            for (; scan < limit; scan++) {
                if (buffer[scan] == '\n') {
                    lineStart = at;
                    lineEnd = scan > at && buffer[scan - 1] == '\r' ? scan - 1 : scan;
                    at = scan + 1;
                    return;
                }
            }
            System.arraycopy(buffer, at, buffer, 0, limit - at);
            scan -= at;
            limit -= at;
            at = 0;
            fill();
        }
    }

    private void fill() throws IOException {
        int read = limit < buffer.length ? in.read(buffer, limit, buffer.length - limit) : 0;
        if (read <= 0) {
            throw new IOException(read < 0 ? "the server closed the connection" : "a line of a response is too long");
        }
        limit += read;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
