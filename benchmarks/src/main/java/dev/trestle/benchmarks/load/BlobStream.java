package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Uploads and downloads one large object, each time on a new connection, and measures the transfer. */
public final class BlobStream {
    /** Random bytes that are repeated as the object's content; they do not compress. */
    public static final byte[] PIECE = piece();

    private static final String VERSION = "2026-04-06";
    private static final String BLOCK_BLOB = "x-ms-blob-type:BlockBlob";
    private static final int READ_BYTES = 256 * 1024;
    private static final int HEAD_BYTES_MAX = 64 * 1024;
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private final Address address;
    private final Caption caption;
    private final LongSupplier serverCpuMicros;

    /** The head of a request, without the empty line that ends it. */
    private interface Caption {
        String of(String method, String contentType, String header);
    }

    /** The measured cost of a transfer. */
    public record Taken(long bytes, long nanos, OptionalLong cpuMicros) {
        public double megabytesPerSecond() {
            return bytes / 1e6 / (nanos / 1e9);
        }
    }

    private BlobStream(Address address, Caption caption) {
        this.address = address;
        this.caption = caption;
        WatchedProcess process = WatchedProcess.at(address).orElse(null);
        this.serverCpuMicros =
                process == null ? () -> -1 : () -> process.cpuMicros().orElse(-1);
    }

    private static byte[] piece() {
        byte[] piece = new byte[1 << 20];
        new SplittableRandom(2).nextBytes(piece);
        return piece;
    }

    /** A blob of a container, which is created unless it exists. */
    public static BlobStream blob(Endpoint endpoint, String container, String name) throws IOException {
        try (Caller caller = new Caller(endpoint.address())) {
            int status = caller.exchange(new BlobDialect(endpoint, container).create())
                    .status();
            if (status != CREATED && status != CONFLICT) {
                throw new IOException("The container " + container + " could not be created at " + endpoint
                        + ": it responded with " + status + ".");
            }
        }
        String path = endpoint.basePath() + "/" + container + "/" + name;
        String query = endpoint.credential().query();
        return new BlobStream(
                endpoint.address(),
                (method, type, header) -> method + " " + path + (query.isEmpty() ? "" : "?" + query)
                        + " HTTP/1.1\r\nHost: " + endpoint.address().hostAndPort() + "\r\nx-ms-version: " + VERSION
                        + "\r\n"
                        + endpoint.credential()
                                .newSigner()
                                .map(lite -> lite.headers(method, type, header, VERSION, path))
                                .orElse(""));
    }

    /** A file of an HTTP server without authentication. */
    public static BlobStream file(Address address, String path) {
        return new BlobStream(
                address,
                (method, type, header) -> method + " " + path + " HTTP/1.1\r\nHost: " + address.hostAndPort() + "\r\n");
    }

    public Taken put(long bytes) throws IOException {
        long cpu = serverCpuMicros.getAsLong();
        long begun = System.nanoTime();
        try (Socket socket = address.connect()) {
            OutputStream out = socket.getOutputStream();
            String type = "application/octet-stream";
            send(
                    out,
                    caption.of("PUT", type, BLOCK_BLOB) + "Content-Type: " + type + "\r\n" + BLOCK_BLOB
                            + "\r\nContent-Length: " + bytes);
            for (long rest = bytes; rest > 0; rest -= PIECE.length) {
                out.write(PIECE, 0, (int) Math.min(PIECE.length, rest));
            }
            expect(head(socket.getInputStream()), CREATED);
            return taken(bytes, begun, cpu);
        }
    }

    public Taken get(long bytes) throws IOException {
        long cpu = serverCpuMicros.getAsLong();
        long begun = System.nanoTime();
        try (Socket socket = address.connect()) {
            send(socket.getOutputStream(), caption.of("GET", "", "") + "Connection: close");
            InputStream in = socket.getInputStream();
            String head = head(in);
            expect(head, OK);
            Matcher length = LENGTH.matcher(head);
            if (!length.find() || Long.parseLong(length.group(1)) != bytes) {
                throw new IOException("The downloaded object is not " + bytes + " bytes long.");
            }
            byte[] buffer = new byte[READ_BYTES];
            for (long rest = bytes; rest > 0; ) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
                if (read < 0) {
                    throw new IOException("The server ended a response too early.");
                }
                rest -= read;
            }
            return taken(bytes, begun, cpu);
        }
    }

    private Taken taken(long bytes, long begunNanos, long cpuBefore) {
        long nanos = System.nanoTime() - begunNanos;
        long cpu = serverCpuMicros.getAsLong();
        return new Taken(
                bytes, nanos, cpu < 0 || cpuBefore < 0 ? OptionalLong.empty() : OptionalLong.of(cpu - cpuBefore));
    }

    private static void send(OutputStream out, String head) throws IOException {
        out.write((head + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Reads byte by byte, so that it consumes no byte of the body. */
    private static String head(InputStream in) throws IOException {
        ByteText head = new ByteText();
        byte[] one = new byte[1];
        int ends = 0;
        while (ends < 2) {
            if (in.read(one) < 0 || head.length() > HEAD_BYTES_MAX) {
                throw new IOException("The response is not HTTP.");
            }
            head.bytes(one);
            ends = one[0] == '\n' ? ends + 1 : one[0] == '\r' ? ends : 0;
        }
        return head.toString();
    }

    private static void expect(String head, int status) throws IOException {
        if (!head.startsWith("HTTP/1.1 " + status)) {
            throw new IOException("The response was " + head.split("\r\n", 2)[0] + " instead of " + status + ".");
        }
    }
}
