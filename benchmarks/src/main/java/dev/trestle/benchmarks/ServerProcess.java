package dev.trestle.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, started for the run. */
final class ServerProcess implements AutoCloseable {
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(60);
    private static final String JAVA_OPTIONS = "TRESTLE_JAVA_OPTS";
    private static final Pattern ADDRESS = Pattern.compile("https?://\\S+");

    private final Process process;
    private final List<String> addresses;

    private ServerProcess(Process process, List<String> addresses) {
        this.process = process;
        this.addresses = addresses;
    }

    /** Starts a main class with the Java options and the class path of this process, and these arguments. */
    static ServerProcess java(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(command);
    }

    /**
     * Starts a server and returns once it prints a line that begins with the word "ready".
     *
     * @param command prints the addresses before that line, or on it
     */
    static ServerProcess start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // The server is measured with the options given here, not with those of the user's environment.
        builder.environment().keySet().removeIf(ServerProcess::isServerOption);
        Process process = builder.start();
        List<String> addresses = new ArrayList<>();
        // Left open: a server that can no longer print would fail when it prints that it stopped.
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                addresses.add(matcher.group());
            }
            if (line.toLowerCase(Locale.ROOT).startsWith("ready")) {
                return new ServerProcess(process, addresses);
            }
        }
        process.destroyForcibly();
        throw new IOException("The server " + String.join(" ", command) + " did not start.");
    }

    private static boolean isServerOption(String variable) {
        return (variable.startsWith("TRESTLE_") && !variable.equals(JAVA_OPTIONS))
                || variable.equals("AZURITE_ACCOUNTS");
    }

    /** Returns the address of tables: the first that it printed. */
    String address() {
        return addresses.get(0);
    }

    /** Returns the address of queues: the second that it printed. */
    String queueAddress() {
        return addresses.get(1);
    }

    /** Returns the address of blobs: the third that it printed. */
    String blobAddress() {
        return addresses.get(2);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
