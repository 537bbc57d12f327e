package dev.trestle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.commandline.UsageErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What commands say when the command line cannot be read for a reason of their own. */
class UsageErrorsTest {
    private static final String SECRET = "c2VjcmV0LW9uZQ==";

    @Command(name = "example")
    static final class Example implements Runnable {
        @Option(names = "--key", converter = FailingConverter.class)
        private String key;

        @Option(names = "--name")
        private String name;

        @Override
        public void run() {
            throw new AssertionError(key + name);
        }
    }

    static final class FailingConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            throw new IllegalStateException("no converter for " + text);
        }
    }

    private static String sentence(IDefaultValueProvider defaults, String... arguments) {
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new Example())
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler(new UsageErrors())
                .setDefaultValueProvider(defaults);
        assertThat(command.execute(arguments)).isEqualTo(ExitCode.USAGE);
        return err.toString().strip();
    }

    @Test
    void a_value_is_not_repeated_when_its_converter_fails() {
        assertThat(sentence(argument -> null, "--key", SECRET))
                .isEqualTo("The value of --key cannot be used: see example --help.");
    }

    @Test
    void arguments_are_not_repeated_when_a_default_fails() {
        IDefaultValueProvider failing = argument -> {
            throw new IllegalStateException("no default");
        };
        assertThat(sentence(failing, "--name", SECRET))
                .isEqualTo("The command line cannot be read; see example --help.");
    }
}
