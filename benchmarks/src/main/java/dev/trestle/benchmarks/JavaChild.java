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

/**
 * A server in a Java process of its own, with the options and the class path of this one: the launcher has chosen them
 * for a server.
 */
final class JavaChild implements AutoCloseable {
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(60);
    private static final Pattern ADDRESS = Pattern.compile("https?://\\S+");

    private final Process process;
    private final List<String> addresses;

    private JavaChild(Process process, List<String> addresses) {
        this.process = process;
        this.addresses = addresses;
    }

    /**
     * Starts it, and returns once a line that it prints begins with the word "ready".
     *
     * @param mainAndArguments a main class that prints its address before that line, or on it
     */
    static JavaChild start(List<String> mainAndArguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(mainAndArguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // What is measured is a server with the options given here, not those the user serves with otherwise.
        builder.environment().keySet().removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
        Process process = builder.start();
        List<String> addresses = new ArrayList<>();
        // Left open: a child that can no longer print would fail when it says good-bye.
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.find()) {
                addresses.add(matcher.group());
            }
            if (line.toLowerCase(Locale.ROOT).startsWith("ready")) {
                return new JavaChild(process, addresses);
            }
        }
        process.destroyForcibly();
        throw new IOException("The server " + mainAndArguments.get(0) + " did not start.");
    }

    /** Where it serves: what it printed first. */
    String address() {
        return addresses.get(0);
    }

    /** Where it serves queues: what it printed next. */
    String queueAddress() {
        return addresses.get(1);
    }

    /** Where it serves blobs: what it printed third. */
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
