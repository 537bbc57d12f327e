package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.server.GuardedServer.Answer;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small writes during uploads that exceed the memory of the server. */
class UploadFloodTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int UPLOADS = 200;
    private static final String CONTAINER = "/devstoreaccount1/files";

    @Test
    void small_writes_succeed_while_uploads_hold_all_the_memory_they_may() throws Exception {
        HttpConfig limits = new HttpConfig(1000, 1 << 20, RateLimits.NONE);
        try (GuardedServer server = GuardedServer.with(limits)) {
            server.owner(
                    Service.TABLE, "POST", "/Tables", "{\"TableName\":\"orders\"}", "Content-Type: application/json");
            server.owner(Service.BLOB, "PUT", "/files?restype=container", "");
            List<Socket> uploads = new ArrayList<>();
            try {
                for (int i = 0; i < UPLOADS; i++) {
                    uploads.add(beginUpload(server, i));
                }
                awaitRefusals(server);

                for (int i = 0; i < 20; i++) {
                    Answer inserted = insert(server, i);
                    assertThat(inserted.status()).as(inserted.toString()).isEqualTo(201);
                }
            } finally {
                for (Socket upload : uploads) {
                    upload.close();
                }
            }
        }
    }

    /** Sends the beginning of a large blob, and never the rest. */
    private static Socket beginUpload(GuardedServer server, int number) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(Service.BLOB));
        String head = "PUT " + CONTAINER + "/" + number + "?" + GuardedServer.owner() + " HTTP/1.1\r\n"
                + "Host: 127.0.0.1\r\nx-ms-blob-type: BlockBlob\r\nContent-Length: 1000000\r\n\r\n";
        socket.getOutputStream().write((head + "x".repeat(1000)).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Waits until each upload holds memory or was refused it; some were, so that uploads hold all they may. */
    private static void awaitRefusals(GuardedServer server) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        double refused;
        double inFlight;
        do {
            String metrics = metrics(server);
            refused = metric(
                    metrics,
                    "trestle_requests_total{error=\"ServerBusy\",operation=\"PutBlob\",service=\"blob\",status=\"503\"}");
            inFlight = metric(metrics, "trestle_requests_in_flight");
        } while (refused + inFlight < UPLOADS && System.nanoTime() < deadline);
        assertThat(refused).isPositive();
        assertThat(refused + inFlight).isEqualTo(UPLOADS);
    }

    private static String metrics(GuardedServer server) throws IOException {
        String request = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        return GuardedServer.answers(server.adminPort(), request).get(0).body();
    }

    private static double metric(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    private static Answer insert(GuardedServer server, int number) throws IOException {
        String entity = "{\"PartitionKey\":\"eu\",\"RowKey\":\"" + number + "\"}";
        return server.owner(Service.TABLE, "POST", "/orders", entity, "Content-Type: application/json");
    }
}
