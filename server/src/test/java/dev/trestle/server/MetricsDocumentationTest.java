package dev.trestle.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.http.HttpConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** docs/operations.md lists every metric of the server itself. */
class MetricsDocumentationTest {
    private static final String TYPE = "# TYPE ";

    @Test
    void every_metric_is_documented() throws IOException {
        String page = Files.readString(Path.of("../docs/operations.md"));
        List<String> names;
        try (GuardedServer server = GuardedServer.with(new HttpConfig(
                1_000, 64 << 20, new RateLimits(OptionalInt.of(1_000_000), OptionalInt.of(1_000_000))))) {
            names = server.metrics()
                    .lines()
                    .filter(line -> line.startsWith(TYPE + "trestle_"))
                    .map(line -> line.substring(TYPE.length()).split(" ", 2)[0])
                    // The largest value of a histogram, which the page describes once.
                    .map(name -> name.replaceFirst("_max$", ""))
                    .distinct()
                    .toList();
        }
        assertThat(names).hasSizeGreaterThan(20);
        assertThat(names).allSatisfy(name -> assertThat(page).contains("`" + name));
    }
}
