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

/** Plays every transcript, each exchange as a test of its own, on a server that nobody else uses. */
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
    List<DynamicContainer> transcripts() throws IOException, URISyntaxException {
        TrestleProcess running = Objects.requireNonNull(server);
        Path folder = Path.of(Objects.requireNonNull(TranscriptIT.class.getResource("/transcripts"))
                .toURI());
        List<Path> files;
        try (Stream<Path> found = Files.list(folder)) {
            files = found.filter(file -> file.toString().endsWith(".http"))
                    .sorted()
                    .toList();
        }
        assertThat(files).isNotEmpty();
        List<DynamicContainer> containers = new ArrayList<>();
        for (Path file : files) {
            Transcript transcript = Transcript.read(file);
            String table = SharedServer.newTableName();
            TranscriptPlayer player = new TranscriptPlayer(running, table);
            Stream<DynamicTest> prepare = Stream.of(DynamicTest.dynamicTest("a table", () -> create(running, table)));
            Stream<DynamicTest> exchanges = transcript.exchanges().stream()
                    .map(exchange -> DynamicTest.dynamicTest(exchange.title(), () -> player.play(exchange)));
            containers.add(DynamicContainer.dynamicContainer(transcript.name(), Stream.concat(prepare, exchanges)));
        }
        return containers;
    }

    private static void create(TrestleProcess server, String table) {
        try (RawConnection connection = new RawConnection(server)) {
            RawAnswer answer =
                    connection.exchange(RawRequest.of("POST", "/Tables").json("{\"TableName\":\"" + table + "\"}"));
            assertThat(answer.status()).isEqualTo(201);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
