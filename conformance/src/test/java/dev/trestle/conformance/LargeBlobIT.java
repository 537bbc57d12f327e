package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Uploads and downloads a blob of one gibibyte in one request each, with a server that has less memory. {@code
 * -Dlarge.gib} sets a larger size, which needs as much disk space; it is uploaded in blocks of a gibibyte, because
 * a request has 5000 MiB at most.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "reads /proc")
class LargeBlobIT {
    private static final long BLOCK_BYTES = 1 << 30;
    private static final long BYTES = Long.getLong("large.gib", 1) * BLOCK_BYTES;
    private static final long MEMORY_BYTES_MAX = 768L << 20;

    /** Of no importance, save that it makes no piece equal to another. */
    private static final int PIECE_BYTES = 1 << 20;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void a_large_blob_goes_in_and_out_as_a_stream(@TempDir Path folder) throws Exception {
        try (TrestleProcess server = TrestleProcess.startByLauncher("--data", folder.toString())) {
            try (BlobConnection blobs = new BlobConnection(server, "large")) {
                assertThat(blobs.create()).isEqualTo(201);
            }
            CRC32C sent = new CRC32C();
            // Once to know the checksum; the body itself may be read on another thread.
            try (InputStream bytes = new CheckedInputStream(new Numbers(0, BYTES), sent)) {
                bytes.transferTo(OutputStream.nullOutputStream());
            }
            upload(server);

            CRC32C received = new CRC32C();
            long length;
            HttpResponse<InputStream> read = client.send(
                    request(server, RawRequest.ofBlob("GET", "/large/blob"), BodyPublishers.noBody()),
                    BodyHandlers.ofInputStream());
            try (InputStream body = new CheckedInputStream(read.body(), received)) {
                length = body.transferTo(OutputStream.nullOutputStream());
            }
            assertThat(length).isEqualTo(BYTES);
            assertThat(received.getValue()).isEqualTo(sent.getValue());
            long peak = ProcessFigures.of(server).residentBytesPeak();
            System.out.printf("%d MiB in and out: at most %d MiB of memory%n", BYTES >> 20, peak >> 20);
            assertThat(peak).isLessThan(MEMORY_BYTES_MAX);
        }
    }

    private void upload(TrestleProcess server) throws Exception {
        if (BYTES <= BLOCK_BYTES) {
            RawRequest put = RawRequest.ofBlob("PUT", "/large/blob").with("x-ms-blob-type", "BlockBlob");
            send(server, put, 0);
            return;
        }
        List<String> ids = new ArrayList<>();
        for (long from = 0; from < BYTES; from += BLOCK_BYTES) {
            String id = "gib" + ids.size();
            ids.add(id);
            send(
                    server,
                    RawRequest.ofBlob("PUT", "/large/blob?comp=block&blockid=" + BlobConnection.escaped(id)),
                    from);
        }
        try (BlobConnection blobs = new BlobConnection(server, "large")) {
            assertThat(blobs.commit("blob", ids)).isEqualTo(201);
        }
    }

    /** Sends a block's worth of bytes, without having them in memory. */
    private void send(TrestleProcess server, RawRequest put, long from) throws Exception {
        BodyPublisher body = BodyPublishers.fromPublisher(
                BodyPublishers.ofInputStream(() -> new Numbers(from, from + BLOCK_BYTES)), BLOCK_BYTES);
        HttpResponse<String> answer = client.send(
                request(server, put.with("Content-Length", Long.toString(BLOCK_BYTES)), body), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static HttpRequest request(TrestleProcess server, RawRequest raw, BodyPublisher body) {
        URI address = URI.create("http://127.0.0.1:" + server.blobPort() + raw.target());
        HttpRequest.Builder builder = HttpRequest.newBuilder(address).method(raw.method(), body);
        raw.headers().stream()
                .filter(header -> !header.getKey().equals("Host")
                        && !header.getKey().equals("Content-Length")
                        && !header.getKey().equals("Authorization"))
                .forEach(header -> builder.header(header.getKey(), header.getValue()));
        return builder.header("Authorization", Signature.queueKey(raw)).build();
    }

    /** So many bytes that are the same each time and seldom repeat. */
    private static final class Numbers extends InputStream {
        private final byte[] piece = new byte[PIECE_BYTES];
        private final long end;
        private long at;

        Numbers(long from, long to) {
            new Random(7).nextBytes(piece);
            at = from;
            end = to;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (at == end) {
                return -1;
            }
            int within = (int) (at % PIECE_BYTES);
            int count = (int) Math.min(Math.min(length, PIECE_BYTES - within), end - at);
            System.arraycopy(piece, within, into, offset, count);
            if (within == 0) {
                // Which piece it is, so that two that change places are noticed.
                into[offset] = (byte) (at / PIECE_BYTES);
            }
            at += count;
            return count;
        }
    }
}
