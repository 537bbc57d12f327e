package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.cli.TrestleCommand.Run;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

/** The command around the configuration: help, version, and what a failed start says. */
class MainTest {
    private static final Map<String, String> BROKEN = Map.of("TRESTLE_CONFIG", "missing", "TRESTLE_NONSENSE", "1");

    @Test
    void help_is_given_everywhere_whatever_the_settings() {
        for (List<String> arguments : List.of(List.of("--help"), List.of("-h"), List.of("serve", "--help"))) {
            Run run = TrestleCommand.run(arguments, BROKEN);
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).startsWith("Usage: trestle");
            assertThat(run.config()).isEmpty();
        }
    }

    @Test
    void help_of_serve_names_every_option_and_its_default() {
        String help = TrestleCommand.run(List.of("serve", "--help"), Map.of()).out();

        assertThat(help)
                .contains(flags(option -> !option.hidden()))
                .doesNotContain(flags(OptionSpec::hidden).toArray(String[]::new));
        assertThat(help.replaceAll("\\s+", " ")).contains("Default: 10002.", "Default: synced.");
    }

    @Test
    void expert_help_of_serve_names_all_options_whatever_the_settings() {
        Run run = TrestleCommand.run(List.of("serve", "--help-expert"), BROKEN);

        assertThat(run.exitCode()).isZero();
        assertThat(run.config()).isEmpty();
        assertThat(run.out()).startsWith("Usage: trestle").contains(flags(option -> true));
        assertThat(run.out().replaceAll("\\s+", " ")).contains("Default: 8192.");
    }

    @Test
    void operators_have_to_know_thirty_options_at_most() {
        assertThat(flags(option -> !option.hidden()))
                .filteredOn(
                        flag -> !List.of("--help", "--help-expert", "--version").contains(flag))
                .hasSizeLessThanOrEqualTo(30);
    }

    private static List<String> flags(Predicate<OptionSpec> wanted) {
        return TrestleCommand.serve().options().stream()
                .filter(wanted)
                .map(OptionSpec::longestName)
                .toList();
    }

    @Test
    void version_is_given_everywhere() {
        for (List<String> arguments : List.of(List.of("--version"), List.of("-V"), List.of("serve", "--version"))) {
            Run run = TrestleCommand.run(arguments, BROKEN);
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).matches("Trestle \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
        }
    }

    @Test
    void advice_on_the_port_is_added_once_and_only_where_it_helps() {
        assertThat(ServerProcess.withAdvice("Port 10002 is already in use."))
                .isEqualTo(
                        "Port 10002 is already in use. Choose another port with --table-port, or 0 for any free one.");
        assertThat(ServerProcess.withAdvice("Port 1 is in use; see --table-port."))
                .isEqualTo("Port 1 is in use; see --table-port.");
        assertThat(ServerProcess.withAdvice("Port 1 is in use; see --admin-port."))
                .isEqualTo("Port 1 is in use; see --admin-port.");
        assertThat(ServerProcess.withAdvice("The certificate has expired.")).isEqualTo("The certificate has expired.");
    }
}
