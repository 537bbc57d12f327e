package dev.trestle.cli;

import dev.trestle.commandline.UsageErrors;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Provides the options of {@code trestle serve} that are not on the command line: from the environment, else from the
 * file of {@code --config}. {@code --table-port} is {@code TRESTLE_TABLE_PORT} and {@code table-port=} there. Refuses
 * unknown names in both.
 */
final class SettingsProvider implements IDefaultValueProvider {
    private static final String PREFIX = "TRESTLE_";
    private static final String CONFIG = "--config";
    private static final String CONFIG_VARIABLE = "TRESTLE_CONFIG";
    private static final String ACCOUNT = "account";

    /** Read by the launcher script before Java starts. */
    private static final String LAUNCHER_VARIABLE = "TRESTLE_JAVA_OPTS";

    /** The variable in which users of Azurite keep their accounts, in the same syntax. */
    private static final String AZURITE_VARIABLE = "AZURITE_ACCOUNTS";

    private static final Set<String> HELP_OPTIONS = Set.of("--help", "--version", ServeCommand.HELP_EXPERT);

    private final Map<String, String> environment;
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, String> origins = new HashMap<>();

    SettingsProvider(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Returns the environment variable of an option. */
    static String variable(OptionSpec option) {
        return PREFIX + key(option).toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static String key(OptionSpec option) {
        return option.longestName().substring(2);
    }

    /** Returns where the value of an option comes from: its name, an environment variable or a key in a file. */
    String origin(String option) {
        return origins.getOrDefault(option, option);
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? texts.get(option.longestName()) : null;
    }

    /**
     * Reads the values of all options that are not on the command line.
     *
     * @param config the file that the command line names, if any
     * @throws ParameterException if the file cannot be read, or a name is unknown
     */
    void load(ParseResult commandLine, Optional<String> config) {
        CommandSpec command = commandLine.commandSpec();
        List<OptionSpec> options = command.options().stream()
                .filter(option -> !HELP_OPTIONS.contains(option.longestName()))
                .toList();
        refuseUnknownVariables(options, command);
        String fileName = config.orElse(environment.getOrDefault(CONFIG_VARIABLE, ""));
        String subject = "The config file " + fileName + " (" + (config.isPresent() ? CONFIG : CONFIG_VARIABLE) + ")";
        Map<String, String> file = config.isPresent() || environment.containsKey(CONFIG_VARIABLE)
                ? readFile(fileName, subject, command)
                : Map.of();
        refuseUnknownKeys(file.keySet(), fileName, options, command);
        for (OptionSpec option : options) {
            if (!commandLine.hasMatchedOption(option)) {
                find(option, file, fileName);
            }
        }
    }

    private void find(OptionSpec option, Map<String, String> file, String fileName) {
        String variable = variable(option);
        String key = key(option);
        if (environment.containsKey(variable)) {
            put(option, environment.get(variable), variable);
        } else if (file.containsKey(key)) {
            put(option, file.get(key), key + " in " + fileName);
        } else if (key.equals(ACCOUNT)
                && !environment.getOrDefault(AZURITE_VARIABLE, "").isBlank()) {
            put(option, environment.get(AZURITE_VARIABLE), AZURITE_VARIABLE);
        }
    }

    private void put(OptionSpec option, @Nullable String text, String origin) {
        texts.put(option.longestName(), text);
        origins.put(option.longestName(), origin);
    }

    private void refuseUnknownVariables(List<OptionSpec> options, CommandSpec command) {
        List<String> known = Stream.concat(
                        options.stream().map(SettingsProvider::variable), Stream.of(LAUNCHER_VARIABLE))
                .toList();
        environment.keySet().stream()
                .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw wrong(
                            command,
                            "The environment variable " + name + " is unknown to Trestle; "
                                    + UsageErrors.hint(name, known, command));
                });
    }

    private static Map<String, String> readFile(String fileName, String subject, CommandSpec command) {
        Map<String, String> file = new TreeMap<>();
        try (Reader reader = Files.newBufferedReader(Path.of(fileName), StandardCharsets.UTF_8)) {
            new Properties() {
                @Override
                public synchronized @Nullable Object put(Object key, Object value) {
                    // The last of two values would win silently.
                    if (file.put((String) key, (String) value) != null) {
                        String hint = key.equals(ACCOUNT) ? " Separate several accounts with ';'." : "";
                        throw wrong(command, "The key '" + key + "' is given twice in " + fileName + "." + hint);
                    }
                    return null;
                }
            }.load(reader);
            return file;
        } catch (NoSuchFileException | InvalidPathException e) {
            throw wrong(command, subject + " does not exist.");
        } catch (CharacterCodingException e) {
            throw wrong(command, subject + " is not UTF-8 text.");
        } catch (IOException e) {
            throw wrong(command, subject + " cannot be read.");
        } catch (IllegalArgumentException e) {
            throw wrong(command, subject + " has a backslash and u that are not followed by four hexadecimal digits.");
        }
    }

    private static void refuseUnknownKeys(
            Set<String> keys, String fileName, List<OptionSpec> options, CommandSpec command) {
        List<String> known = options.stream().map(SettingsProvider::key).toList();
        for (String key : keys) {
            if (CONFIG.equals("--" + key)) {
                throw wrong(command, "The config file " + fileName + " cannot name another config file.");
            }
            if (!known.contains(key)) {
                throw wrong(
                        command,
                        "The key '" + key + "' in " + fileName + " is unknown to Trestle; "
                                + UsageErrors.hint(key, known, command));
            }
        }
    }

    private static ParameterException wrong(CommandSpec command, String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
