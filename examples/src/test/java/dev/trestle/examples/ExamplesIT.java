package dev.trestle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.launcher.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs every example, checks its cost, and compares it with its page in docs/patterns. */
class ExamplesIT {
    private static final Path PAGES = Path.of("../docs/patterns");

    @Test
    void every_promise_holds_and_costs_what_the_guide_says() throws IOException {
        List<String> lines = new ArrayList<>();
        try (ServerProcess server =
                ExampleServer.start(Path.of(System.getProperty("trestle.jar", "../cli/target/trestle.jar")))) {
            for (Example example : Examples.all()) {
                lines.add(run(example, server.connectionString()));
            }
        }
        assertThat(lines)
                .containsExactly(
                        "one-to-many 1 2 true",
                        "one-to-one 1 2 true",
                        "client-side-join 1 2 true",
                        "inheritance 1 2 true",
                        "intra-partition-index 2 1 true",
                        "inter-partition-index 1 - true",
                        "eventual-transaction 5 - true",
                        "index-entities 6 - true",
                        "denormalization 1 - true",
                        "compound-key 1 2 true",
                        "log-tail 1 11 true",
                        "high-volume-delete 3 - true",
                        "data-series 1 - true",
                        "wide-entities 1 2 true",
                        "large-entities 2 - true",
                        "prepend-append 4 40 true",
                        "log-data 2 - true");
    }

    private static String run(Example example, String connectionString) {
        try (ExampleContext context = new ExampleContext(connectionString)) {
            ExampleResult result = example.run(context);
            return example.name() + " " + result.roundTrips() + " "
                    + (result.rowsExamined().isPresent()
                            ? Long.toString(result.rowsExamined().getAsLong())
                            : "-")
                    + " " + result.promiseHeld();
        }
    }

    @Test
    void every_pattern_has_a_page_with_a_figure_and_shows_only_what_is_run() throws IOException {
        StringBuilder source = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/trestle/examples"))) {
            for (Path file : files.toList()) {
                source.append(compact(Files.readString(file)));
            }
        }
        for (Example example : Examples.all()) {
            String page = Files.readString(PAGES.resolve(example.name() + ".md"));
            assertThat(page).contains("## When", "## Promise", "figures/" + example.name() + ".svg");
            assertThat(Files.readString(PAGES.resolve("figures/" + example.name() + ".svg")))
                    .startsWith("<svg");
            assertThat(Files.readString(PAGES.resolve("README.md"))).contains("(" + example.name() + ".md)");
            Matcher blocks =
                    Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page);
            assertThat(blocks.find()).as(example.name()).isTrue();
            do {
                assertThat(source).contains(compact(blocks.group(1)));
            } while (blocks.find());
        }
    }

    /** Removes white space, because pages may wrap lines differently. */
    private static String compact(String text) {
        return text.replaceAll("\\s+", "");
    }
}
