package dev.trestle.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.sandbox.Options.Action;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void values_follow_their_option_or_an_equals_sign() {
        Options expected = new Options(Action.START, Path.of("there"), OptionalInt.of(2), true);

        assertThat(Options.parse("start", "--one-jvm", "--data", "there", "--servers", "2"))
                .isEqualTo(expected);
        assertThat(Options.parse("start", "--servers=2", "--data=there", "--one-jvm"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    run                 | The first argument is start, stop or status.
                    start --server 2    | The option --server is unknown; see trestle hbase-sandbox --help.
                    start --servers     | The option --servers needs a value.
                    start --servers two | The option --servers needs a number, not two.
                    stop --one-jvm      | The options --servers and --one-jvm are for start alone.
                    """)
    void what_is_wrong_is_said_in_a_sentence(String arguments, String sentence) {
        assertThat(run(arguments.split(" "))).isEqualTo(Main.BAD_USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(sentence + System.lineSeparator());
    }

    @Test
    void a_folder_without_a_sandbox_has_no_status(@TempDir Path folder) {
        assertThat(run("status", "--data", folder.toString())).isEqualTo(Main.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("There is no sandbox in " + folder + ";");
    }

    private int run(String... arguments) {
        return new Main(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
    }
}
