package dev.trestle.cli;

import dev.trestle.commandline.Version;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code trestle} command. */
public final class Main {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int BAD_USAGE = 2;

    static final String SERVE = "serve";

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final Server server;

    /** What runs a server with a configuration until the process ends. */
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

    /** Runs the command and returns its exit code; what the user did wrong is told in one sentence. */
    int run(String... arguments) {
        try {
            ParseResult parsed = commandLine().parseArgs(withSwitchValues(withCommand(arguments)));
            // Deliberately before any setting is looked at: help must be had whatever is wrong with them.
            Integer helped = CommandLine.executeHelpRequest(parsed);
            if (helped != null) {
                return helped;
            }
            if (parsed.subcommand().commandSpec().name().equals(PartitionsCommand.NAME)) {
                return new PartitionsCommand(out, err).run(parsed.subcommand(), environment);
            }
            if (parsed.subcommand().commandSpec().name().equals(CopyCommand.NAME)) {
                return new CopyCommand(out, err).run(parsed.subcommand(), environment);
            }
            if (parsed.subcommand().commandSpec().name().equals(ScrubCommand.NAME)) {
                return new ScrubCommand(out, err).run(parsed.subcommand());
            }
            server.run(ServeConfigReader.read(Settings.gather(given(parsed.subcommand()), environment)));
            return OK;
        } catch (ParameterException e) {
            err.println(sentence(e));
            return BAD_USAGE;
        } catch (ConfigException e) {
            err.println(e.getMessage());
            return BAD_USAGE;
        } catch (ServerProcess.StartException e) {
            err.println(e.getMessage());
            LoggerFactory.getLogger(Main.class).debug("The server did not start", e);
            return FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        } catch (Throwable e) {
            // Whatever it is, the process has to end: a started library may hold threads that would keep it alive.
            LoggerFactory.getLogger(Main.class).error("Trestle did not expect this failure", e);
            return FAILED;
        }
    }

    /** {@code trestle --in-memory} is {@code trestle serve --in-memory}: serving is what this command is for. */
    private static String[] withCommand(String[] arguments) {
        boolean named = arguments.length > 0 && !arguments[0].startsWith("-");
        boolean aboutAll = arguments.length > 0
                && List.of("-h", "--help", "-V", "--version").contains(arguments[0]);
        return named || aboutAll
                ? arguments
                : Stream.concat(Stream.of(SERVE), Stream.of(arguments)).toArray(String[]::new);
    }

    /** Writes out the value of a bare switch, else an unknown option behind it would be taken for that value. */
    private static String[] withSwitchValues(String[] arguments) {
        List<String> switches = ServeOption.all()
                .filter(option -> option.label().isEmpty())
                .map(ServeOption::flag)
                .toList();
        return Stream.of(arguments)
                .map(argument -> switches.contains(argument) ? argument + "=true" : argument)
                .toArray(String[]::new);
    }

    private CommandLine commandLine() {
        CommandSpec root = CommandSpec.create().name("trestle");
        root.usageMessage()
                .description(
                        "A self-hosted server for the Azure Table, Queue and Blob protocols. Without a command it serves.")
                .footer(
                        "",
                        "Options of serve may be given without naming it: trestle --in-memory.",
                        "The launcher script also runs these programs; each has its own --help:",
                        "  trestle bench          measures any endpoint under load",
                        "  trestle examples       runs the table design patterns on any endpoint",
                        "  trestle hbase-sandbox  runs an HBase cluster on this machine");
        CommandSpec serve = CommandSpec.create().name(SERVE);
        serve.usageMessage()
                .description("Serves until stopped by Ctrl-C or SIGTERM.")
                .footer(
                        "",
                        "Each option is also a key of the config file, named without the dashes in front, and an"
                                + " environment variable: --table-port is table-port= and TRESTLE_TABLE_PORT. The"
                                + " command line wins over the environment, the environment over the file.",
                        "TRESTLE_JAVA_OPTS is read by the launcher script and given to Java.")
                .sortOptions(false);
        ServeOption.all().map(Main::optionSpec).forEach(serve::addOption);
        serve.usageMessage()
                .abbreviateSynopsis(true)
                .sectionMap()
                .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, Main::groupedOptions);
        root.addSubcommand(SERVE, serve);
        CommandSpec partitions = PartitionsCommand.spec();
        CommandSpec copy = CopyCommand.spec();
        root.addSubcommand(PartitionsCommand.NAME, partitions);
        root.addSubcommand(CopyCommand.NAME, copy);
        CommandSpec scrub = ScrubCommand.spec();
        root.addSubcommand(ScrubCommand.NAME, scrub);
        for (CommandSpec command : List.of(root, serve, partitions, copy, scrub)) {
            command.version("Trestle " + Version.text()).mixinStandardHelpOptions(true);
        }
        return new CommandLine(root)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpLongOptionsMaxWidth(30);
    }

    /** The list of options with a heading for each group. Picocli's own groups would let an option be given twice. */
    private static String groupedOptions(Help help) {
        StringBuilder text = new StringBuilder();
        for (ServeOption.Group group : ServeOption.Group.values()) {
            Help.Layout layout = help.createDefaultLayout();
            layout.addOptions(
                    ServeOption.all()
                            .filter(option -> option.group() == group)
                            .map(option -> help.commandSpec().findOption(option.flag()))
                            .toList(),
                    help.parameterLabelRenderer());
            text.append(System.lineSeparator())
                    .append(group.heading())
                    .append(System.lineSeparator())
                    .append(layout);
        }
        return text.toString();
    }

    private static OptionSpec optionSpec(ServeOption option) {
        String shown = option.label().isPresent()
                ? option.defaultText().map(text -> " Default: " + text + ".").orElse("")
                : "";
        // Texts only: what a value means is decided in one place for all sources, with one way to complain.
        OptionSpec.Builder builder = OptionSpec.builder(option.flag())
                .type(option.repeatable() ? List.class : String.class)
                .auxiliaryTypes(String.class)
                .description(option.description() + shown);
        if (option.label().isEmpty()) {
            // Off can be said too, to undo what the environment or the file has switched on.
            return builder.arity("0..1")
                    .fallbackValue("true")
                    .paramLabel("true|false")
                    .build();
        }
        return builder.arity("1").paramLabel(option.label().get()).build();
    }

    private static Map<ServeOption, String> given(ParseResult serve) {
        Map<ServeOption, String> texts = new EnumMap<>(ServeOption.class);
        ServeOption.all()
                .filter(option -> serve.hasMatchedOption(option.flag()))
                .forEach(option -> {
                    Object value = serve.matchedOption(option.flag()).getValue();
                    texts.put(option, value instanceof List<?> list ? joined(list) : (String) value);
                });
        return texts;
    }

    private static String joined(List<?> texts) {
        return texts.stream().map(String::valueOf).collect(Collectors.joining(";"));
    }

    /** Never repeats a stray argument, which may be a key that lost its option, save for an option's own name. */
    private static String sentence(ParameterException problem) {
        if (problem instanceof OverwrittenOptionException twice
                && twice.getOverwritten() instanceof OptionSpec option) {
            return "The option " + option.longestName() + " is given more than once.";
        }
        if (problem instanceof MissingParameterException missing
                && missing.getMissing().get(0) instanceof OptionSpec option) {
            return "The option " + option.longestName() + " needs a value, " + option.paramLabel() + ".";
        }
        if (!(problem instanceof UnmatchedArgumentException unmatched)) {
            String message = String.valueOf(problem.getMessage());
            return message.endsWith(".") ? message : message + ".";
        }
        CommandSpec command = problem.getCommandLine().getCommandSpec();
        String stray = unmatched.getUnmatched().get(0);
        if (stray.startsWith("-")) {
            String name = stray.split("=", 2)[0];
            return "The option " + name + " is unknown; the nearest known one is "
                    + Nearest.to(name, command.optionsMap().keySet()) + ".";
        }
        if (command.subcommands().isEmpty()) {
            return "The " + command.name()
                    + " command takes options only, and one of the arguments is none; see trestle " + command.name()
                    + " --help.";
        }
        return "There is no command " + stray + "; the nearest known one is "
                + Nearest.to(stray, command.subcommands().keySet()) + ".";
    }
}
