package dev.trestle.patterns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server process, run from the jar that Maven built, on free local ports. Captures the output, which is part of the error if it
 * does not start.
 */
public final class TrestleProcess implements AutoCloseable {
    public static final String ACCOUNT = "devstoreaccount1";

    /** The key of the development account, the same in every emulator and SDK. */
    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final Duration TIME_MAX = Duration.ofSeconds(60);
    private static final Pattern ENDPOINT = Pattern.compile("\\s+(\\w+) endpoint\\s+(http://\\S+)\\s*");

    private final Process process;
    private final List<String> output = new CopyOnWriteArrayList<>();

    private TrestleProcess(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The environment of the machine must not influence the tests.
        builder.environment().keySet().removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread reader = new Thread(this::readOutput, "output-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a server that keeps everything in memory. */
    public static TrestleProcess inMemory() {
        return start("--in-memory");
    }

    /** Starts a server with these options on free ports; returns when it is ready. */
    public static TrestleProcess start(String... options) {
        Path jar = Path.of(System.getProperty("trestle.jar", "../cli/target/trestle.jar"))
                .toAbsolutePath()
                .normalize();
        if (!Files.exists(jar)) {
            throw new AssertionError("The server is not built: " + jar);
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:SharedArchiveFile=" + jar.resolveSibling("trestle.jsa"),
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off",
                "-jar",
                jar.toString(),
                "serve",
                "--table-port",
                "0"));
        command.addAll(List.of(options));
        TrestleProcess server = new TrestleProcess(command);
        try {
            server.awaitReady();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void readOutput() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
            }
        } catch (IOException e) {
            output.add("(cannot read the output: " + e.getMessage() + ")");
        }
    }

    private void awaitReady() {
        long end = System.nanoTime() + TIME_MAX.toNanos();
        while (output.stream().noneMatch(line -> line.startsWith("Ready in "))) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("The server did not become ready. Its output:\n" + String.join("\n", output));
            }
            waitFor(10);
        }
    }

    private void waitFor(long millis) {
        try {
            process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** Returns the endpoint of a service by its name in the banner: Table, Queue or Blob. */
    public String endpoint(String service) {
        for (String line : output) {
            Matcher matcher = ENDPOINT.matcher(line);
            if (matcher.matches() && matcher.group(1).equals(service)) {
                return matcher.group(2);
            }
        }
        throw new AssertionError("no " + service + " endpoint in:\n" + String.join("\n", output));
    }

    public String connectionString() {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + KEY + ";TableEndpoint="
                + endpoint("Table") + ";QueueEndpoint=" + endpoint("Queue") + ";BlobEndpoint=" + endpoint("Blob")
                + ";";
    }

    /** Kills the process with SIGKILL; returns when it has ended. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        waitFor(TIME_MAX.toMillis());
    }
}
