package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.testkit.ModelEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Large pages, whose buffers are reused by one response after the other. */
class LargePagesTest {
    private static final int PARTITIONS = 6;
    private static final int ROWS = 250;
    private static final int ROW_BYTES = 3_000;
    private static final int READS = 15;

    @Test
    void pages_read_at_once_are_whole_and_of_their_partition_though_others_go_away() throws Exception {
        try (RunningServer server = new RunningServer(new ModelEngine(InstantSource.system()))) {
            server.createTable("orders");
            List<String> pages = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                for (int row = 100; row < 100 + ROWS; row++) {
                    server.insertLarge("orders", "p" + partition, "r" + row, ROW_BYTES);
                }
                pages.add(server.query("orders", filter(partition)).body());
                assertThat(pages.get(partition))
                        .hasSizeGreaterThan(ROWS * ROW_BYTES)
                        .endsWith("]}");
            }
            ExecutorService clients = Executors.newFixedThreadPool(3 * PARTITIONS);
            try {
                List<Future<Void>> done = new ArrayList<>();
                for (int client = 0; client < 3 * PARTITIONS; client++) {
                    int partition = client % PARTITIONS;
                    Callable<Void> reads = client < 2 * PARTITIONS
                            ? () -> readAll(server, partition, pages.get(partition))
                            : () -> goAway(server, partition);
                    done.add(clients.submit(reads));
                }
                for (Future<Void> client : done) {
                    client.get();
                }
            } finally {
                clients.shutdownNow();
            }
            server.awaitMetric("trestle_buffered_response_bytes 0.0");
        }
    }

    private static Void readAll(RunningServer server, int partition, String page)
            throws IOException, InterruptedException {
        for (int i = 0; i < READS; i++) {
            assertThat(server.query("orders", filter(partition)).body().equals(page))
                    .as("the page of partition %s, read again", partition)
                    .isTrue();
        }
        return null;
    }

    /** Reads the beginning of a response and disconnects. */
    private static Void goAway(RunningServer server, int partition) throws IOException {
        String path = server.table(
                        "/orders()?" + RunningServer.SAS + "&$filter=PartitionKey%20eq%20%27p" + partition + "%27")
                .toString();
        String target = path.substring(path.indexOf('/', "http://".length()));
        for (int i = 0; i < READS; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.tablePort())) {
                socket.setReceiveBufferSize(8 * 1024);
                socket.getOutputStream()
                        .write(("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readNBytes(12 + i * 3_000), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200");
            }
        }
        return null;
    }

    private static String filter(int partition) {
        return "PartitionKey eq 'p" + partition + "'";
    }
}
