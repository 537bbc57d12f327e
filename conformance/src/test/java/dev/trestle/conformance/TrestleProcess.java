package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The product as its users have it: the jar that Maven built, in a process of its own. Listens on a free port of this
 * machine only. Whatever it prints is kept and is part of every failure to start.
 */
final class TrestleProcess implements AutoCloseable {
    static final String ACCOUNT = "devstoreaccount1";

    /** The key of the development account, the same in every emulator and SDK. */
    static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** Servers here live for seconds, so the second one would only cost the tests their processors. */
    static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final Duration START_TIME_MAX = Duration.ofSeconds(60);
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(60);
    private static final Pattern ADMIN = Pattern.compile("\\s+Health, metrics\\s+(http://[^:]+:(\\d+))/.*");
    private static final Pattern ENDPOINT = Pattern.compile("\\s+Table endpoint\\s+(https?)://[^:]+:(\\d+)/.*");
    private static final Pattern BLOB_ENDPOINT = Pattern.compile("\\s+Blob endpoint\\s+(https?)://[^:]+:(\\d+)/.*");
    private static final Pattern QUEUE_ENDPOINT = Pattern.compile("\\s+Queue endpoint\\s+(https?)://[^:]+:(\\d+)/.*");

    private static final HttpClient ADMIN_CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final Thread reader;
    private final List<String> output = new CopyOnWriteArrayList<>();

    private TrestleProcess(Path folder, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        // What the machine happens to have set must not decide what is tested.
        builder.environment().keySet().removeIf(name -> name.startsWith("TRESTLE_") || name.equals("AZURITE_ACCOUNTS"));
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader = new Thread(this::readOutput, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** What a command that ended by itself left behind. */
    record Ended(int code, String output) {}

    /** A server on any free port, with these further options; returns when it is ready. */
    static TrestleProcess start(String... options) {
        return startIn(Path.of("").toAbsolutePath(), options);
    }

    /** The same with this working directory. */
    static TrestleProcess startIn(Path folder, String... options) {
        return ready(new TrestleProcess(folder, command(serve(options)), Map.of()));
    }

    /** The same, started as its users do, with the memory and the Java options of the launcher. */
    static TrestleProcess startByLauncher(String... options) {
        return startByLauncherWith("", options);
    }

    /** The same, with this further option for Java. */
    static TrestleProcess startByLauncherWith(String javaOption, String... options) {
        return ready(new TrestleProcess(
                Path.of("").toAbsolutePath(), launcher(serve(options)), Map.of("TRESTLE_JAVA_OPTS", javaOption)));
    }

    /** One that serves from a cluster, which only the launcher can start. */
    static TrestleProcess startOnCluster(String quorum, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--engine", "hbase", "--hbase-quorum", quorum));
        all.addAll(List.of("--hbase-content-dir", SharedCluster.contentFolder()));
        return startByLauncherWith(ONE_COMPILER, all.toArray(String[]::new));
    }

    private static List<String> launcher(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("trestle.launcher", "../trestle"))
                .toAbsolutePath()
                .toString()));
        command.addAll(arguments);
        return command;
    }

    /** A server that may not be ready yet and may never be. */
    static TrestleProcess launch(String... options) {
        return new TrestleProcess(Path.of("").toAbsolutePath(), command(serve(options)), Map.of());
    }

    private static List<String> serve(String... options) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--table-port", "0"));
        arguments.addAll(List.of(options));
        return arguments;
    }

    private static List<String> under(List<String> wrapper, List<String> command) {
        List<String> wrapped = new ArrayList<>(wrapper);
        wrapped.addAll(command);
        return wrapped;
    }

    private static TrestleProcess ready(TrestleProcess server) {
        try {
            server.awaitReady();
            return server;
        } catch (RuntimeException | Error e) {
            server.kill();
            throw e;
        }
    }

    static TrestleProcess inMemory() {
        return start("--in-memory");
    }

    static TrestleProcess on(Path data) {
        return start("--data", data.toString());
    }

    /** Runs a command that is expected to end by itself. */
    static Ended run(String... arguments) {
        return runUnder(List.of(), arguments);
    }

    /** The same, run by another command, which gets ours as its last arguments. */
    static Ended runUnder(List<String> wrapper, String... arguments) {
        return ended(under(wrapper, command(List.of(arguments))), Map.of());
    }

    /** The same, by the launcher. */
    static Ended runByLauncher(String... arguments) {
        return runByLauncherWith(ONE_COMPILER, arguments);
    }

    /** The same, with this further option for Java. */
    static Ended runByLauncherWith(String javaOption, String... arguments) {
        return ended(launcher(List.of(arguments)), Map.of("TRESTLE_JAVA_OPTS", javaOption));
    }

    private static Ended ended(List<String> command, Map<String, String> environment) {
        TrestleProcess process = new TrestleProcess(Path.of("").toAbsolutePath(), command, environment);
        try {
            int code = process.awaitExit();
            return new Ended(code, process.log());
        } finally {
            process.kill();
        }
    }

    private static List<String> command(List<String> arguments) {
        Path jar = Path.of(System.getProperty("trestle.jar", "../cli/target/trestle.jar"))
                .toAbsolutePath()
                .normalize();
        if (!Files.exists(jar)) {
            throw new AssertionError("the product is not built: " + jar);
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseParallelGC",
                ONE_COMPILER,
                "-XX:+ExitOnOutOfMemoryError",
                // As with the launcher.
                "-XX:SharedArchiveFile=" + jar.resolveSibling("trestle.jsa"),
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off"));
        if (Runtime.version().feature() >= 23) {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return command;
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
        long end = System.nanoTime() + START_TIME_MAX.toNanos();
        while (output.stream().noneMatch(line -> line.startsWith("Ready in "))) {
            boolean ended = !process.isAlive();
            if (ended || System.nanoTime() > end) {
                throw new AssertionError((ended ? "ended" : "not ready in time") + ", having printed:\n" + log());
            }
            try {
                process.waitFor(10, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting", e);
            }
        }
    }

    int port() {
        return Integer.parseInt(endpointLine().group(2));
    }

    int queuePort() {
        return Integer.parseInt(bannerLine(QUEUE_ENDPOINT).group(2));
    }

    int blobPort() {
        return Integer.parseInt(bannerLine(BLOB_ENDPOINT).group(2));
    }

    private Matcher endpointLine() {
        return bannerLine(ENDPOINT);
    }

    private Matcher bannerLine(Pattern pattern) {
        for (String line : output) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                return matcher;
            }
        }
        throw new AssertionError("not in the banner, " + pattern + ":\n" + log());
    }

    /** A page of the admin port. */
    String admin(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(bannerLine(ADMIN).group(1) + path))
                    .build();
            return ADMIN_CLIENT.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** The metric of this name and these labels, as the page for Prometheus writes them; 0 when there is none. */
    double metric(String name) {
        return admin("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    /** Where the development account is. */
    String endpoint() {
        return endpoint(ACCOUNT);
    }

    String endpoint(String account) {
        return endpointLine().group(1) + "://127.0.0.1:" + port() + "/" + account;
    }

    /** Where the queues of the development account are. */
    String queueEndpoint() {
        return queueEndpoint(ACCOUNT);
    }

    String queueEndpoint(String account) {
        return bannerLine(QUEUE_ENDPOINT).group(1) + "://127.0.0.1:" + queuePort() + "/" + account;
    }

    /** Where the containers of the development account are. */
    String blobEndpoint() {
        return blobEndpoint(ACCOUNT);
    }

    String blobEndpoint(String account) {
        return bannerLine(BLOB_ENDPOINT).group(1) + "://127.0.0.1:" + blobPort() + "/" + account;
    }

    /** The admin port. */
    String adminUrl() {
        return bannerLine(ADMIN).group(1);
    }

    String connectionString() {
        return connectionString(ACCOUNT, KEY);
    }

    String connectionString(String account, String key) {
        return "DefaultEndpointsProtocol=" + endpointLine().group(1) + ";AccountName=" + account + ";AccountKey=" + key
                + ";TableEndpoint=" + endpoint(account) + ";";
    }

    /** Everything printed so far, banner and log alike. */
    String log() {
        return String.join("\n", output);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM, without waiting for what it does. */
    void requestStop() {
        // The process itself would also close its output, and with that its last words would be lost.
        process.toHandle().destroy();
    }

    /** SIGTERM; returns the exit code when the process has ended. */
    int stop() {
        requestStop();
        return awaitExit();
    }

    /** SIGKILL, without waiting for the end. */
    void requestKill() {
        process.toHandle().destroyForcibly();
    }

    /** SIGKILL; returns when the process has ended. */
    void kill() {
        requestKill();
        awaitExit();
    }

    /** SIGSTOP: the process stays, and does nothing, until it is resumed. */
    void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            assertThat(code).as("kill -%s %s", signal, pid()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /** Lets the process run for so long, if it does not end by itself before. */
    void letRun(Duration time) {
        try {
            process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** What {@code /health/ready} says. */
    RawAnswer readiness() throws IOException {
        Matcher admin = bannerLine(ADMIN);
        try (RawConnection connection = new RawConnection(Integer.parseInt(admin.group(2)))) {
            return connection.exchange(
                    new RawRequest("GET", "/health/ready", List.of(), new byte[0]).with("Host", "127.0.0.1"));
        }
    }

    int awaitExit() {
        try {
            if (!process.waitFor(STOP_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running, having printed:\n" + log());
            }
            reader.join(STOP_TIME_MAX.toMillis());
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
