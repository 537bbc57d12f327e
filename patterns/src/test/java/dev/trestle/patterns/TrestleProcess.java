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
 * A real server, the jar that Maven built, in a process of its own on free ports of this machine. What it prints is kept and is
 * part of every failure to start.
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
        // What the machine happens to have set must not decide what is tested.
        builder.environment().keySet().removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread reader = new Thread(this::readOutput, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** A server that keeps everything in memory. */
    public static TrestleProcess inMemory() {
        return start("--in-memory");
    }

    /** A server with these options, on free ports; returns when it is ready. */
    public static TrestleProcess start(String... options) {
        Path jar = Path.of(System.getProperty("trestle.jar", "../cli/target/trestle.jar"))
                .toAbsolutePath()
                .normalize();
        if (!Files.exists(jar)) {
            throw new AssertionError("the product is not built: " + jar);
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
            output.add("(output lost: " + e.getMessage() + ")");
        }
    }

    private void awaitReady() {
        long end = System.nanoTime() + TIME_MAX.toNanos();
        while (output.stream().noneMatch(line -> line.startsWith("Ready in "))) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("not ready, having printed:\n" + String.join("\n", output));
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

    /** Where a service is, by the word its line of the banner begins with: Table, Queue. */
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

    /** SIGKILL; returns when the process has ended. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        waitFor(TIME_MAX.toMillis());
    }
}
