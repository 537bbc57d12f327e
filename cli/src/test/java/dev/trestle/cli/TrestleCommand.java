package dev.trestle.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;

/** The command as people give it, run in this process up to where a server would start. */
final class TrestleCommand {
    private TrestleCommand() {}

    /** The configuration that the serve command comes to. */
    static ServeConfig config(List<String> options, Map<String, String> environment) {
        Run run = run(Stream.concat(Stream.of("serve"), options.stream()).toList(), environment);
        assertThat(run.err()).isEmpty();
        return run.config().orElseThrow();
    }

    /** The serve command is refused with this sentence and starts nothing. */
    static void assertRefused(String sentence, String... options) {
        Run run = run(Stream.concat(Stream.of("serve"), Stream.of(options)).toList(), Map.of());
        assertThat(run.err()).isEqualTo(sentence);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.config()).isEmpty();
    }

    /** Returns the serve command with its options. */
    static CommandSpec serve() {
        CommandLine trestle = new Main(Map.of(), System.out, System.err, config -> {}).commandLine("serve");
        return requireNonNull(trestle.getSubcommands().get("serve")).getCommandSpec();
    }

    /** What a command left behind. */
    record Run(int exitCode, String out, String err, Optional<ServeConfig> config) {}

    static Run run(List<String> arguments, Map<String, String> environment) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<ServeConfig> started = new ArrayList<>();
        Main main = new Main(
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                started::add);
        int exitCode = main.run(arguments.toArray(String[]::new));
        return new Run(
                exitCode,
                out.toString(StandardCharsets.UTF_8).strip(),
                err.toString(StandardCharsets.UTF_8).strip(),
                started.stream().findFirst());
    }
}
