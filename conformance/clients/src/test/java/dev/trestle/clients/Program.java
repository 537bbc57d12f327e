package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An installed program, run with a separate environment, so that the configuration of the user has no effect. */
final class Program {
    private static final long SECONDS_MAX = 300;

    private final Path file;
    private final Path folder;
    private final Path input;
    private final List<String> always;
    private final Map<String, String> environment;

    private Program(Path file, Path folder, Path input, List<String> always, Map<String, String> environment) {
        this.file = file;
        this.folder = folder;
        this.input = input;
        this.always = List.copyOf(always);
        this.environment = Map.copyOf(environment);
    }

    /** The output and the exit code of a run. */
    record Run(List<String> command, int code, String output, String errors) {
        String succeeded() {
            assertThat(code)
                    .as("exit code of %s, which printed:%n%s%n%s", command, output, errors)
                    .isZero();
            return output;
        }

        String failed() {
            assertThat(code)
                    .as("exit code of %s, which printed:%n%s%n%s", command, output, errors)
                    .isNotZero();
            return errors;
        }
    }

    /**
     * The program of this name.
     *
     * @param origin where it can be installed from, for the failure if it is not
     * @param folder home and working folder of its runs
     */
    static Program installed(String name, String origin, Path folder) {
        String path = System.getenv().getOrDefault("PATH", "");
        Path file = Stream.of(path.split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not installed. Install " + origin
                        + ", or run conformance/clients/install.sh, which installs all programs of this profile."));
        Map<String, String> environment = Map.of("PATH", path, "HOME", folder.toString(), "LC_ALL", "C.UTF-8");
        return new Program(file, folder, Path.of("/dev/null"), List.of(), environment);
    }

    Program with(String variable, String value) {
        Map<String, String> more = new TreeMap<>(environment);
        more.put(variable, value);
        return new Program(file, folder, input, always, more);
    }

    /** Returns the program with the environment variables of the build. */
    Program withEnvironmentOfTheBuild() {
        return new Program(file, folder, input, always, System.getenv());
    }

    /** The same program, with this file as its standard input. */
    Program input(Path content) {
        return new Program(file, folder, content, always, environment);
    }

    /** The same program, with these arguments before those of each run. */
    Program always(String... arguments) {
        return new Program(file, folder, input, join(always, List.of(arguments)), environment);
    }

    /** Runs the program and returns its standard output. Fails if the exit code is not 0. */
    String run(String... arguments) {
        return attempt(arguments).succeeded();
    }

    /** Runs it, whatever comes of it. */
    Run attempt(String... arguments) {
        List<String> command = join(List.of(file.toString()), join(always, List.of(arguments)));
        try {
            // Files rather than pipes: a program that prints much to one of them must not wait for its reader.
            Path output = Files.createTempFile("output", ".txt");
            Path errors = Files.createTempFile("errors", ".txt");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectInput(input.toFile())
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile());
                builder.environment().clear();
                builder.environment().putAll(environment);
                int code = codeOf(builder.start(), command);
                return new Run(command, code, Files.readString(output), Files.readString(errors));
            } finally {
                Files.delete(output);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int codeOf(Process process, List<String> command) {
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS))
                    .as("%s ends within %d seconds", command, SECONDS_MAX)
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> join(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
