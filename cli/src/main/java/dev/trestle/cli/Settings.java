package dev.trestle.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The text of every option, from the strongest source that gives it: command line, environment, config file, default.
 * Names that no option has are refused here, wherever they stand.
 */
final class Settings {
    /** Read by the launcher script before Java starts, so it is known but means nothing here. */
    static final String LAUNCHER_VARIABLE = "TRESTLE_JAVA_OPTS";

    /** The variable in which users of the emulator Azurite already keep their accounts, in the same syntax. */
    static final String AZURITE_VARIABLE = "AZURITE_ACCOUNTS";

    /**
     * A value and where it came from, in the words the user would use for it.
     *
     * @param origin for example {@code --table-port}, {@code TRESTLE_TABLE_PORT} or {@code table-port in trestle.properties}
     */
    record Setting(String text, String origin) {
        /** Any setting may be an account with its keys. */
        @Override
        public String toString() {
            return origin + "=***";
        }
    }

    private final Map<ServeOption, String> commandLine;
    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final String fileName;

    private Settings(
            Map<ServeOption, String> commandLine,
            Map<String, String> environment,
            Map<String, String> file,
            String fileName) {
        this.commandLine = Map.copyOf(commandLine);
        this.environment = Map.copyOf(environment);
        this.file = Map.copyOf(file);
        this.fileName = fileName;
    }

    /**
     * Reads the config file, if one is named, and refuses unknown names.
     *
     * @throws ConfigException with the sentence for the user
     */
    static Settings gather(Map<ServeOption, String> commandLine, Map<String, String> environment) {
        refuseUnknownVariables(environment);
        Optional<Setting> config = new Settings(commandLine, environment, Map.of(), "").find(ServeOption.CONFIG);
        if (config.isEmpty()) {
            return new Settings(commandLine, environment, Map.of(), "");
        }
        String fileName = config.get().text();
        return new Settings(
                commandLine, environment, readFile(fileName, config.get().origin()), fileName);
    }

    /** The value, or empty when no source gives it and it has no default. */
    Optional<Setting> find(ServeOption option) {
        return findGiven(option).or(() -> option.defaultText().map(text -> new Setting(text, option.flag())));
    }

    /** The value if the user gave one. */
    Optional<Setting> findGiven(ServeOption option) {
        String text = commandLine.get(option);
        if (text != null) {
            return Optional.of(new Setting(text, option.flag()));
        }
        text = environment.get(option.variable());
        if (text != null) {
            return Optional.of(new Setting(text, option.variable()));
        }
        text = file.get(option.key());
        if (text != null) {
            return Optional.of(new Setting(text, option.key() + " in " + fileName));
        }
        text = environment.get(AZURITE_VARIABLE);
        if (option == ServeOption.ACCOUNT && text != null && !text.isBlank()) {
            return Optional.of(new Setting(text, AZURITE_VARIABLE));
        }
        return Optional.empty();
    }

    private static void refuseUnknownVariables(Map<String, String> environment) {
        Set<String> known = ServeOption.all().map(ServeOption::variable).collect(Collectors.toSet());
        known.add(LAUNCHER_VARIABLE);
        for (String name : new TreeSet<>(environment.keySet())) {
            if (name.startsWith(ServeOption.ENVIRONMENT_PREFIX) && !known.contains(name)) {
                throw new ConfigException("The environment variable " + name
                        + " is unknown to Trestle; the nearest known one is " + Nearest.to(name, known) + ".");
            }
        }
    }

    private static Map<String, String> readFile(String fileName, String origin) {
        UniqueProperties properties = new UniqueProperties(fileName);
        try (Reader reader = Files.newBufferedReader(Path.of(fileName), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException | InvalidPathException e) {
            throw new ConfigException("The config file " + fileName + " (" + origin + ") does not exist.");
        } catch (CharacterCodingException e) {
            throw new ConfigException("The config file " + fileName + " (" + origin + ") is not UTF-8 text.");
        } catch (IOException e) {
            throw new ConfigException("The config file " + fileName + " (" + origin + ") cannot be read.");
        } catch (IllegalArgumentException e) {
            throw new ConfigException("The config file " + fileName + " (" + origin
                    + ") has a backslash and u that are not followed by four hexadecimal digits.");
        }
        Set<String> known = ServeOption.all()
                .filter(ServeOption::allowedInFile)
                .map(ServeOption::key)
                .collect(Collectors.toSet());
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (key.equals(ServeOption.CONFIG.key())) {
                throw new ConfigException("The config file " + fileName + " cannot name another config file.");
            }
            if (!known.contains(key)) {
                throw new ConfigException("The key '" + key + "' in " + fileName
                        + " is unknown to Trestle; the nearest known one is '" + Nearest.to(key, known) + "'.");
            }
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(key -> key, key -> properties.getProperty(key, "")));
    }

    /** Plain properties let the last of two equal keys win in silence; here two are a mistake worth a sentence. */
    private static final class UniqueProperties extends Properties {
        private final transient String fileName;

        UniqueProperties(String fileName) {
            this.fileName = fileName;
        }

        @Override
        public synchronized Object put(Object key, Object value) {
            if (containsKey(key)) {
                String hint = key.equals(ServeOption.ACCOUNT.key()) ? " Separate several accounts with ';'." : "";
                throw new ConfigException("The key '" + key + "' is given twice in " + fileName + "." + hint);
            }
            return super.put(key, value);
        }
    }
}
