package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobContainerClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The built product as a process of its own, with its data in memory, on free ports of this machine. It knows two accounts:
 * the development account, which some programs insist on, and {@link #ACCOUNT}. Its output and its access log stay in
 * {@code target/servers}.
 */
final class Server implements AutoCloseable {
    static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";

    /** The key of the development account, the same in every emulator and SDK. */
    static final String DEVELOPMENT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    static final String ACCOUNT = "clients";

    static final String KEY =
            "dGhlIGtleSBvZiB0aGUgYWNjb3VudCBvZiB0aGUgY2xpZW50IHByb2dyYW1zLCA2NCBieXRlcyBvZiBpdC4uLg==";

    private static final Duration START_TIME_MAX = Duration.ofSeconds(60);
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(60);

    private final Process process;
    private final Path output;
    private final Path accessLog;

    private Server(Process process, Path output, Path accessLog) {
        this.process = process;
        this.output = output;
        this.accessLog = accessLog;
    }

    /**
     * Returns a server that is ready.
     *
     * @param name the name of its files in {@code target/servers}
     */
    static Server start(String name, String... options) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "servers").toAbsolutePath());
            Path output = folder.resolve(name + ".log");
            Path accessLog = folder.resolve(name + "-access.log");
            Files.deleteIfExists(accessLog);
            ProcessBuilder builder = new ProcessBuilder(command(accessLog, options))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            // The variables of this machine must not decide what is tested.
            builder.environment()
                    .keySet()
                    .removeIf(key -> key.startsWith("TRESTLE_") || key.equals("AZURITE_ACCOUNTS"));
            builder.environment().put("TRESTLE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
            Server server = new Server(builder.start(), output, accessLog);
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path accessLog, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("trestle.launcher", "../../trestle"))
                        .toAbsolutePath()
                        .normalize()
                        .toString(),
                "serve",
                "--in-memory",
                "--table-port=0",
                "--account=" + DEVELOPMENT_ACCOUNT + ":" + DEVELOPMENT_KEY,
                "--account=" + ACCOUNT + ":" + KEY,
                "--access-log=text",
                "--access-log-file=" + accessLog));
        command.addAll(List.of(options));
        return command;
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + START_TIME_MAX.toNanos();
        while (!Files.readString(output).contains("\nReady in ")) {
            boolean ended = !process.isAlive();
            if (ended || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new AssertionError("The server " + (ended ? "ended" : "was not ready in time")
                        + ", having printed:\n" + Files.readString(output));
            }
            await(Duration.ofMillis(20));
        }
    }

    /** The address of the Blob service without an account, such as {@code http://127.0.0.1:10000}. */
    String blobOrigin() {
        return origin("Blob");
    }

    String queueOrigin() {
        return origin("Queue");
    }

    int blobPort() {
        String origin = blobOrigin();
        return Integer.parseInt(origin.substring(origin.lastIndexOf(':') + 1));
    }

    String blobEndpoint(String account) {
        return blobOrigin() + "/" + account;
    }

    String queueEndpoint(String account) {
        return queueOrigin() + "/" + account;
    }

    String tableEndpoint(String account) {
        return origin("Table") + "/" + account;
    }

    /** All three services of {@link #ACCOUNT}. */
    String connectionString() {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + KEY + ";BlobEndpoint="
                + blobEndpoint(ACCOUNT) + ";QueueEndpoint=" + queueEndpoint(ACCOUNT) + ";TableEndpoint="
                + tableEndpoint(ACCOUNT) + ";";
    }

    /** Makes a container of {@link #ACCOUNT}, for programs that make none themselves. */
    void createContainer(String name) {
        new BlobContainerClientBuilder()
                .connectionString(connectionString())
                .containerName(name)
                .buildClient()
                .create();
    }

    private String origin(String service) {
        try {
            String printed = Files.readString(output);
            Matcher endpoint = Pattern.compile("\\s" + service + " endpoint\\s+(https?://[^:]+:\\d+)/")
                    .matcher(printed);
            if (!endpoint.find()) {
                throw new AssertionError("no endpoint of the " + service + " service in:\n" + printed);
            }
            return endpoint.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the server. Fails if it responded to any request with an error of its own, which a program that retries would hide. */
    @Override
    public void close() {
        process.destroy();
        if (!await(STOP_TIME_MAX)) {
            process.destroyForcibly();
            throw new AssertionError("The server did not stop in time; its output is in " + output);
        }
        assertThat(accessLog).content().doesNotContain(" status=5");
    }

    private boolean await(Duration time) {
        try {
            return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
