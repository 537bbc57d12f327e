package dev.trestle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Output and exit status of the command. */
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private record Scripted(String name, boolean held) implements Example {
        @Override
        public ExampleResult run(ExampleContext context) {
            return new ExampleResult("something", 3, OptionalLong.of(7), held);
        }
    }

    private record Failing(String name) implements Example {
        @Override
        public ExampleResult run(ExampleContext context) {
            throw new IllegalStateException("no such service\nand more");
        }
    }

    private int run(String... arguments) throws IOException {
        List<Example> examples =
                List.of(new Scripted("kept", true), new Scripted("broken", false), new Failing("failing"));
        Main main = new Main(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                examples);
        return main.run(arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_line_each_and_success_if_every_promise_held() throws IOException {
        assertThat(run("kept", "--endpoint", "UseDevelopmentStorage=true")).isZero();
        assertThat(printed())
                .containsPattern("(?m)^kept +3 +7 +held +something$")
                .doesNotContain("broken");
    }

    @Test
    void failure_if_a_promise_was_not_held() throws IOException {
        assertThat(run("--endpoint=UseDevelopmentStorage=true")).isEqualTo(1);
        assertThat(printed())
                .containsPattern("(?m)^broken +3 +7 +NOT HELD +something$")
                .containsPattern("(?m)^failing +- +- +NOT HELD +no such service and more$");
    }

    @Test
    void a_wrong_name_is_told_with_the_right_ones() throws IOException {
        assertThat(run("kepd")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("kepd").contains("kept, broken, failing");
        assertThat(run("--help")).isZero();
        assertThat(printed()).contains("--endpoint").contains("kept, broken, failing");
    }
}
