package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobContainerClientBuilder;
import dev.trestle.launcher.DevelopmentAccount;
import dev.trestle.launcher.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The built product in a child process, with its data in memory, on free ports of this machine. It has two
 * accounts: the development account, which some programs require, and {@link #ACCOUNT}. Its output and its access
 * log are kept in {@code target/servers}.
 */
final class Server implements AutoCloseable {
    static final String DEVELOPMENT_ACCOUNT = DevelopmentAccount.NAME;
    static final String DEVELOPMENT_KEY = DevelopmentAccount.KEY;

    static final String ACCOUNT = "clients";

    static final String KEY =
            "dGhlIGtleSBvZiB0aGUgYWNjb3VudCBvZiB0aGUgY2xpZW50IHByb2dyYW1zLCA2NCBieXRlcyBvZiBpdC4uLg==";

    private final ServerProcess process;
    private final Path output;
    private final Path accessLog;

    private Server(ServerProcess process, Path output, Path accessLog) {
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
            Path accessLog = folder.resolve(name + "-access.log");
            Files.deleteIfExists(accessLog);
            ServerProcess process = ServerProcess.command(command(accessLog, options))
                    .in(folder)
                    .environment("TRESTLE_JAVA_OPTS", "-XX:TieredStopAtLevel=1")
                    .start();
            return new Server(process, folder.resolve(name + ".log"), accessLog);
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
        String endpoint = process.endpoint(service);
        return endpoint.substring(0, endpoint.lastIndexOf('/'));
    }

    /** Stops the server. Fails if it responded to any request with an error of its own, which a program that retries would hide. */
    @Override
    public void close() {
        try {
            process.stop();
            Files.writeString(output, process.output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(accessLog).content().doesNotContain(" status=5");
    }
}
