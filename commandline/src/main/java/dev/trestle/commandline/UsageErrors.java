package dev.trestle.commandline;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Explains a wrong command line in one sentence on standard error. Never repeats an argument it does not know: that may
 * be a key that lost its option.
 */
public final class UsageErrors implements IParameterExceptionHandler {
    /** How the message of a converter begins that is to be completed by the name of the option. */
    public static final String TAKES = "takes ";

    private final Function<OptionSpec, String> origin;

    /** For commands whose values come from the command line only. */
    public UsageErrors() {
        this(OptionSpec::longestName);
    }

    /** @param origin names where the value of an option comes from, such as an environment variable */
    public UsageErrors(Function<OptionSpec, String> origin) {
        this.origin = origin;
    }

    @Override
    public int handleParseException(ParameterException problem, String[] arguments) {
        problem.getCommandLine().getErr().println(sentence(problem));
        return CommandLine.ExitCode.USAGE;
    }

    /** Returns the known name that is most like a misspelled one, by picocli's measure; empty if none is alike. */
    public static Optional<String> nearest(String unknown, Collection<String> known) {
        // Picocli suggests subcommands by their similarity, but options by their first letters only.
        CommandSpec names = CommandSpec.create();
        known.forEach(name -> names.addSubcommand(name, CommandSpec.create()));
        return new UnmatchedArgumentException(new CommandLine(names), List.of(unknown))
                .getSuggestions().stream().findFirst();
    }

    /** Returns the second half of a sentence about an unknown name: the nearest known one, or else where they are listed. */
    public static String hint(String unknown, Collection<String> known, CommandSpec command) {
        return nearest(unknown, known)
                .map(name -> "the nearest known one is " + name + ".")
                .orElse(help(command));
    }

    private static String unknownOption(String name, CommandSpec command) {
        Map<String, String> flags = command.options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .collect(Collectors.toMap(UsageErrors::withoutDashes, flag -> flag));
        return "The option " + name + " is unknown; "
                + nearest(withoutDashes(name), flags.keySet())
                        .map(word -> "the nearest known one is " + flags.get(word) + ".")
                        .orElse(help(command));
    }

    private String sentence(ParameterException problem) {
        if (problem instanceof OverwrittenOptionException twice
                && twice.getOverwritten() instanceof OptionSpec option) {
            return "The option " + option.longestName() + " is given more than once.";
        }
        if (problem instanceof MissingParameterException missing) {
            return missing.getMissing().get(0) instanceof OptionSpec option
                    ? "The option " + option.longestName() + " needs a value, " + option.paramLabel() + "."
                    : "The " + command(problem).name() + " command needs "
                            + missing.getMissing().get(0).paramLabel() + "; " + help(command(problem));
        }
        if (problem instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        if (problem.getArgSpec() instanceof OptionSpec option) {
            return wrongValue(option, problem);
        }
        // Picocli puts all arguments into the message of an unexpected failure.
        return problem.getCause() == null
                ? withStop(String.valueOf(problem.getMessage()))
                : "The command line cannot be read; " + help(command(problem));
    }

    private String wrongValue(OptionSpec option, ParameterException problem) {
        String text = problem.getCause() instanceof TypeConversionException reason
                ? withStop(String.valueOf(reason.getMessage()))
                : help(option.command());
        if (option.type().isEnum()) {
            text = "'" + problem.getValue() + "' is not "
                    + Arrays.stream(option.type().getEnumConstants())
                            .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(" or "))
                    + ".";
        }
        return text.startsWith(TAKES)
                ? "The option " + option.longestName() + " " + text
                : "The value of " + origin.apply(option) + " cannot be used: " + text;
    }

    private static String unmatched(UnmatchedArgumentException problem) {
        CommandSpec command = command(problem);
        String stray = problem.getUnmatched().get(0);
        if (stray.startsWith("-")) {
            return unknownOption(stray.split("=", 2)[0], command);
        }
        if (!command.positionalParameters().isEmpty()) {
            return "The " + command.name() + " command takes fewer arguments; " + help(command);
        }
        if (command.subcommands().isEmpty()) {
            return "The " + command.name() + " command takes only options, and one argument is not an option; "
                    + help(command);
        }
        return problem.getSuggestions().stream()
                .findFirst()
                .map(name -> "There is no command " + stray + "; the nearest known one is " + name + ".")
                .orElse("There is no such command; " + help(command));
    }

    private static CommandSpec command(ParameterException problem) {
        return problem.getCommandLine().getCommandSpec();
    }

    private static String help(CommandSpec command) {
        return "see " + command.qualifiedName() + " --help.";
    }

    private static String withoutDashes(String name) {
        return name.replaceAll("^-+", "");
    }

    private static String withStop(String sentence) {
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
