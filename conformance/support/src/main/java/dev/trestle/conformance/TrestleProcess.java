package dev.trestle.conformance;

import dev.trestle.launcher.DevelopmentAccount;
import dev.trestle.launcher.ServerJar;
import dev.trestle.launcher.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The built product in a child process, started from its jar or by the launcher script, on free ports of the
 * loopback interface.
 */
final class TrestleProcess implements AutoCloseable {
    static final String ACCOUNT = DevelopmentAccount.NAME;
    static final String KEY = DevelopmentAccount.KEY;

    /** Servers here live for seconds, so the C2 compiler would cost more CPU time than it saves. */
    static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final Path JAR = Path.of(System.getProperty("trestle.jar", "../cli/target/trestle.jar"));
    private static final Path LAUNCHER = Path.of(System.getProperty("trestle.launcher", "../trestle"));
    private static final HttpClient ADMIN_CLIENT = HttpClient.newHttpClient();

    private final ServerProcess process;

    private TrestleProcess(ServerProcess process) {
        this.process = process;
    }

    /** The exit code and the output of a command. */
    record Ended(int code, String output) {}

    /** Starts a server on free ports, with these further options; returns when it is ready. */
    static TrestleProcess start(String... options) {
        return new TrestleProcess(jar(serve(options)).start());
    }

    /** Like {@link #start}, in this working directory. */
    static TrestleProcess startIn(Path folder, String... options) {
        return new TrestleProcess(jar(serve(options)).in(folder).start());
    }

    /** Like {@link #start}, by the launcher script, with its memory and Java options. */
    static TrestleProcess startByLauncher(String... options) {
        return startByLauncherWith("", options);
    }

    /** Like {@link #startByLauncher}, with a further Java option. */
    static TrestleProcess startByLauncherWith(String javaOption, String... options) {
        return new TrestleProcess(launcher(javaOption, serve(options)).start());
    }

    /** Starts a server on a cluster, which only the launcher script can do. */
    static TrestleProcess startOnCluster(String quorum, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--engine", "hbase", "--hbase-quorum", quorum));
        all.addAll(List.of("--hbase-content-dir", SharedCluster.contentFolder()));
        return startByLauncherWith(ONE_COMPILER, all.toArray(String[]::new));
    }

    /** Starts a server and does not wait until it is ready. */
    static TrestleProcess launch(String... options) {
        return new TrestleProcess(jar(serve(options)).launch());
    }

    static TrestleProcess inMemory() {
        return start("--in-memory");
    }

    static TrestleProcess on(Path data) {
        return start("--data", data.toString());
    }

    /** Runs a command until it exits. */
    static Ended run(String... arguments) {
        return ended(jar(List.of(arguments)));
    }

    /** Like {@link #run}, as the last arguments of another command. */
    static Ended runUnder(List<String> wrapper, String... arguments) {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(jarCommand(List.of(arguments)));
        return ended(ServerProcess.command(command));
    }

    /** Like {@link #run}, by the launcher script. */
    static Ended runByLauncher(String... arguments) {
        return runByLauncherWith(ONE_COMPILER, arguments);
    }

    /** Like {@link #runByLauncher}, with a further Java option. */
    static Ended runByLauncherWith(String javaOption, String... arguments) {
        return ended(launcher(javaOption, List.of(arguments)));
    }

    private static Ended ended(ServerProcess.Builder command) {
        try (ServerProcess process = command.launch()) {
            return new Ended(process.awaitExit(), process.output());
        }
    }

    private static List<String> serve(String... options) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--table-port", "0"));
        arguments.addAll(List.of(options));
        return arguments;
    }

    private static ServerProcess.Builder jar(List<String> arguments) {
        return ServerProcess.command(jarCommand(arguments));
    }

    private static List<String> jarCommand(List<String> arguments) {
        return ServerJar.command(
                JAR, List.of("-Xmx384m", "-XX:+UseParallelGC", ONE_COMPILER, "-XX:+ExitOnOutOfMemoryError"), arguments);
    }

    private static ServerProcess.Builder launcher(String javaOption, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toAbsolutePath().toString()));
        command.addAll(arguments);
        return ServerProcess.command(command).environment("TRESTLE_JAVA_OPTS", javaOption);
    }

    boolean isReady() {
        return process.isReady();
    }

    ServerProcess process() {
        return process;
    }

    int port() {
        return uri("Table").getPort();
    }

    int queuePort() {
        return uri("Queue").getPort();
    }

    int blobPort() {
        return uri("Blob").getPort();
    }

    private URI uri(String service) {
        return URI.create(process.endpoint(service));
    }

    /** Returns the table endpoint of the development account. */
    String endpoint() {
        return endpoint(ACCOUNT);
    }

    String endpoint(String account) {
        return endpoint("Table", account);
    }

    /** Returns the queue endpoint of the development account. */
    String queueEndpoint() {
        return queueEndpoint(ACCOUNT);
    }

    String queueEndpoint(String account) {
        return endpoint("Queue", account);
    }

    /** Returns the blob endpoint of the development account. */
    String blobEndpoint() {
        return blobEndpoint(ACCOUNT);
    }

    String blobEndpoint(String account) {
        return endpoint("Blob", account);
    }

    private String endpoint(String service, String account) {
        URI printed = uri(service);
        return printed.getScheme() + "://127.0.0.1:" + printed.getPort() + "/" + account;
    }

    String connectionString() {
        return connectionString(ACCOUNT, KEY);
    }

    String connectionString(String account, String key) {
        return "DefaultEndpointsProtocol=" + uri("Table").getScheme() + ";AccountName=" + account + ";AccountKey=" + key
                + ";TableEndpoint=" + endpoint(account) + ";";
    }

    /** Returns the URL of the admin port. */
    String adminUrl() {
        String ready = process.banner("Health, metrics");
        return ready.substring(0, ready.length() - "/health/ready".length());
    }

    /** Returns a page of the admin port. */
    String admin(String path) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(adminUrl() + path)).build();
            return ADMIN_CLIENT.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** Returns the metric of this name and labels, written as in the Prometheus format, or 0 if there is none. */
    double metric(String name) {
        return admin("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /** Returns the response to {@code /health/ready}. */
    RawResponse readiness() throws IOException {
        try (RawConnection connection = new RawConnection(URI.create(adminUrl()).getPort())) {
            return connection.exchange(
                    new RawRequest("GET", "/health/ready", List.of(), new byte[0]).with("Host", "127.0.0.1"));
        }
    }

    /** Returns the output so far, banner and log alike. */
    String log() {
        return process.output();
    }

    /** Sends SIGTERM and returns the exit code when the process has exited. */
    int stop() {
        return process.stop();
    }

    /** Sends SIGKILL and returns when the process has exited. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
