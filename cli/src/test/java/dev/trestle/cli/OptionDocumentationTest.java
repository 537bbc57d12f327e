package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.testkit.GeneratedSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/** The documents list the options of {@code trestle serve} as they are declared. */
class OptionDocumentationTest {
    private static final Path ROOT = Path.of("..");
    private static final String DEFAULT = " Default: ";
    private static final Pattern FLAG = Pattern.compile("`(--[a-z][a-zA-Z-]+)");
    private static final Set<String> HELP = Set.of("--help", "--help-expert", "--version");

    /** Options of other commands, and of Azurite. */
    private static final Set<String> OTHERS = Set.of("--no-verify", "--skipApiVersionCheck");

    @Test
    void the_readme_lists_the_options_that_operators_need() throws IOException {
        GeneratedSection.assertCurrent(
                ROOT.resolve("README.md"),
                "options",
                "| Option | Meaning | Default |\n| --- | --- | --- |\n"
                        + rows(option -> !option.hidden(), OptionDocumentationTest::row));
    }

    @Test
    void expert_options_are_documented_with_their_use() throws IOException {
        GeneratedSection.assertCurrent(
                ROOT.resolve("docs/operations.md"),
                "expert options",
                "| Option | Meaning | Default | When to set it |\n| --- | --- | --- | --- |\n"
                        + rows(OptionSpec::hidden, option -> row(option) + " " + lines(option)[1] + " |"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "SECURITY.md", "docs/operations.md"})
    void options_that_a_document_names_exist(String document) throws IOException {
        List<String> known = TrestleCommand.serve().options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .toList();
        assertThat(FLAG.matcher(Files.readString(ROOT.resolve(document)))
                        .results()
                        .map(match -> match.group(1)))
                .isNotEmpty()
                .allMatch(flag -> known.contains(flag) || OTHERS.contains(flag));
    }

    private static String rows(Predicate<OptionSpec> wanted, Function<OptionSpec, String> row) {
        return ServeCommand.optionGroups(TrestleCommand.serve()).values().stream()
                .flatMap(List::stream)
                .filter(option -> !HELP.contains(option.longestName()))
                .filter(wanted)
                .map(row)
                .collect(Collectors.joining("\n"));
    }

    private static String row(OptionSpec option) {
        String text = lines(option)[0];
        int split = text.indexOf(DEFAULT);
        boolean isSwitch = option.arity().min() == 0;
        String usual = split < 0 ? isSwitch ? "off" : "" : text.substring(split + DEFAULT.length(), text.length() - 1);
        return "| `" + option.longestName()
                + (isSwitch ? "" : " " + option.paramLabel().replace("|", "\\|")) + "` | "
                + (split < 0 ? text : text.substring(0, split)) + " | "
                + usual.replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValue())) + " |";
    }

    private static String[] lines(OptionSpec option) {
        return String.join("\n", option.description()).split("\n", -1);
    }
}
