package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Plays every transcript on a separate server, with one test for each exchange. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TranscriptIT {
    private @Nullable TrestleProcess server;

    @BeforeAll
    void startServer() {
        server = TrestleProcess.inMemory();
    }

    @AfterAll
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @TestFactory
    List<DynamicContainer> of_tables() throws IOException, URISyntaxException {
        TrestleProcess running = Objects.requireNonNull(server);
        List<DynamicContainer> containers = new ArrayList<>();
        for (Path file : files("/transcripts")) {
            String table = SharedServer.newTableName();
            containers.add(played(
                    file,
                    DynamicTest.dynamicTest("a table", () -> create(running, table)),
                    TranscriptPlayer.ofTables(running, table)));
        }
        return containers;
    }

    @TestFactory
    List<DynamicContainer> of_queues() throws IOException, URISyntaxException {
        TrestleProcess running = Objects.requireNonNull(server);
        List<DynamicContainer> containers = new ArrayList<>();
        for (Path file : files("/transcripts/queue")) {
            String queue = SharedServer.newQueueName();
            containers.add(played(
                    file,
                    DynamicTest.dynamicTest("a queue", () -> createQueue(running, queue)),
                    TranscriptPlayer.ofQueues(running, queue)));
        }
        return containers;
    }

    @TestFactory
    List<DynamicContainer> of_blobs() throws IOException, URISyntaxException {
        TrestleProcess running = Objects.requireNonNull(server);
        List<DynamicContainer> containers = new ArrayList<>();
        for (Path file : files("/transcripts/blob")) {
            String container = SharedServer.newContainerName();
            containers.add(played(
                    file,
                    DynamicTest.dynamicTest("a container", () -> createContainer(running, container)),
                    TranscriptPlayer.ofBlobs(running, container)));
        }
        return containers;
    }

    private static List<Path> files(String folder) throws IOException, URISyntaxException {
        Path path = Path.of(
                Objects.requireNonNull(TranscriptIT.class.getResource(folder)).toURI());
        try (Stream<Path> found = Files.list(path)) {
            List<Path> files = found.filter(file -> file.toString().endsWith(".http"))
                    .sorted()
                    .toList();
            assertThat(files).isNotEmpty();
            return files;
        }
    }

    private static DynamicContainer played(Path file, DynamicTest prepare, TranscriptPlayer player) throws IOException {
        Transcript transcript = Transcript.read(file);
        Stream<DynamicTest> exchanges = transcript.exchanges().stream()
                .map(exchange -> DynamicTest.dynamicTest(exchange.title(), () -> player.play(exchange)));
        return DynamicContainer.dynamicContainer(transcript.name(), Stream.concat(Stream.of(prepare), exchanges));
    }

    private static void createQueue(TrestleProcess server, String name) throws IOException {
        try (QueueConnection queue = new QueueConnection(server, name)) {
            assertThat(queue.create()).isEqualTo(201);
        }
    }

    private static void createContainer(TrestleProcess server, String name) throws IOException {
        try (BlobConnection blobs = new BlobConnection(server, name)) {
            assertThat(blobs.create()).isEqualTo(201);
        }
    }

    private static void create(TrestleProcess server, String table) {
        try (RawConnection connection = new RawConnection(server)) {
            RawResponse answer =
                    connection.exchange(RawRequest.of("POST", "/Tables").json("{\"TableName\":\"" + table + "\"}"));
            assertThat(answer.status()).isEqualTo(201);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
