package dev.trestle.cli;

import dev.trestle.cli.ServerProcess.StartException;
import dev.trestle.commandline.UsageErrors;
import dev.trestle.commandline.Version;
import dev.trestle.engine.EngineException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** The {@code trestle} command: builds the command line and maps exceptions to exit codes. */
@Command(
        name = "trestle",
        description =
                "A self-hosted server for the Azure Table, Queue and Blob protocols. Without a command it serves.",
        footer = {
            "",
            "Options of serve may be given without naming it: trestle --in-memory.",
            "The launcher script also runs these programs; each has its own --help:",
            "  trestle bench          measures any endpoint under load",
            "  trestle examples       runs the table design patterns on any endpoint",
            "  trestle hbase-sandbox  runs an HBase cluster on this machine"
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Main {
    private static final List<String> OWN_OPTIONS = List.of("-h", "--help", "-V", "--version");

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final Server server;

    /** Runs a server until the process ends. */
    interface Server {
        void run(ServeConfig config) throws InterruptedException;
    }

    Main(Map<String, String> environment, PrintStream out, PrintStream err, Server server) {
        this.environment = Map.copyOf(environment);
        this.out = out;
        this.err = err;
        this.server = server;
    }

    public static void main(String[] arguments) {
        ServerProcess server = new ServerProcess(System.out, System.nanoTime());
        System.exit(new Main(System.getenv(), System.out, System.err, server::run).run(arguments));
    }

    /** Runs the command and returns its exit code. {@code trestle --in-memory} means {@code trestle serve --in-memory}. */
    int run(String... arguments) {
        boolean named = arguments.length > 0 && (!arguments[0].startsWith("-") || OWN_OPTIONS.contains(arguments[0]));
        String[] complete = named
                ? arguments
                : Stream.concat(Stream.of(ServeCommand.NAME), Stream.of(arguments))
                        .toArray(String[]::new);
        try {
            return commandLine(complete[0]).execute(complete);
        } catch (Throwable e) {
            return unexpected(e);
        }
    }

    /** Returns the command line for the command of this name. */
    CommandLine commandLine(String command) {
        SettingsProvider settings = new SettingsProvider(environment);
        CommandLine trestle = new CommandLine(this).addSubcommand(ServeCommand.commandLine(server, settings));
        // Without the others, a server starts 20 ms sooner.
        if (!command.equals(ServeCommand.NAME)) {
            trestle.addSubcommand(new PartitionsCommand(out))
                    .addSubcommand(new CopyCommand(out, err))
                    .addSubcommand(new ScrubCommand(out, err));
            trestle.setDefaultValueProvider(ClusterOptions.fromEnvironment(environment));
        }
        return ServeValues.register(trestle)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setResourceBundle(ResourceBundle.getBundle("dev.trestle.cli.options"))
                .setUsageHelpLongOptionsMaxWidth(30)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new UsageErrors(option -> settings.origin(option.longestName())))
                .setExecutionExceptionHandler((failure, failed, parsed) -> exitCode(failure));
    }

    private int exitCode(Exception failure) {
        if (failure instanceof ConfigException) {
            err.println(failure.getMessage());
            return ExitCode.USAGE;
        }
        if (failure instanceof StartException || failure instanceof EngineException) {
            err.println(failure.getMessage());
            LoggerFactory.getLogger(Main.class).debug("The command failed", failure);
            return ExitCode.SOFTWARE;
        }
        if (failure instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return ExitCode.SOFTWARE;
        }
        return unexpected(failure);
    }

    /** The process has to end after any failure, although started libraries may hold threads that keep it alive. */
    private static int unexpected(Throwable failure) {
        LoggerFactory.getLogger(Main.class).error("Unexpected failure", failure);
        return ExitCode.SOFTWARE;
    }
}
