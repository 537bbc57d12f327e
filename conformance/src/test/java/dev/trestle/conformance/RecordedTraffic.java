package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replays traffic that was recorded between the tests of an SDK and the real services, and compares the responses.
 * Runs only if the recordings and their tool are beside the checkout; docs/compatibility.md explains the
 * differences.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedTraffic {
    private static final Path RECORDINGS = Path.of(System.getProperty("trestle.recordings", "../../shared/parity"));

    /** The last matching line of the output is the total for the supported operations. */
    private static final Pattern SCORE = Pattern.compile(
            "(?m)^(?:built: )?recordings: .* status and body (\\d+) of (\\d+), headers (\\d+) of (\\d+)$");

    private @Nullable TrestleProcess server;

    @BeforeAll
    void startServer() {
        server = TrestleProcess.start("--in-memory", "--public-access");
    }

    @AfterAll
    void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "table, recordings, 0.99, 0.99",
        "queue, recordings-queue, 0.99, 0.98",
        "blob, recordings-blob, 0.99, 0.98"
    })
    void the_answers_are_those_that_were_recorded(String service, String folder, double bodies, double headers)
            throws IOException, InterruptedException {
        TrestleProcess running = Objects.requireNonNull(server);
        String endpoint = switch (service) {
            case "table" -> running.endpoint();
            case "queue" -> running.queueEndpoint();
            default -> running.blobEndpoint();
        };
        Process replay = new ProcessBuilder(List.of(
                        "python3",
                        RECORDINGS.resolve("replay.py").toString(),
                        "--service",
                        service,
                        "--endpoint",
                        endpoint,
                        RECORDINGS.resolve(folder).toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(replay.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        replay.waitFor();
        Matcher score = SCORE.matcher(said);
        assertThat(score.find()).as(said).isTrue();
        assertThat(share(score, 1)).as(said).isGreaterThanOrEqualTo(bodies);
        assertThat(share(score, 3)).as(said).isGreaterThanOrEqualTo(headers);
    }

    private static double share(Matcher score, int group) {
        return Double.parseDouble(score.group(group)) / Double.parseDouble(score.group(group + 1));
    }
}
