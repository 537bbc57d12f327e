package dev.trestle.benchmarks;

import dev.trestle.benchmarks.bare.BareLoop;
import dev.trestle.benchmarks.load.Address;
import dev.trestle.benchmarks.load.BenchContainer;
import dev.trestle.benchmarks.load.BenchQueue;
import dev.trestle.benchmarks.load.BenchTable;
import dev.trestle.benchmarks.load.BlobTarget;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.InsertKeys;
import dev.trestle.benchmarks.load.Loader;
import dev.trestle.benchmarks.load.QueueTarget;
import dev.trestle.benchmarks.load.Subject;
import dev.trestle.benchmarks.load.Target;
import dev.trestle.benchmarks.load.WatchedProcess;
import dev.trestle.benchmarks.report.Server;
import dev.trestle.launcher.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The servers of a run. Stops those that it started when the run ends or is interrupted, and deletes their
 * temporary data.
 */
final class Servers implements AutoCloseable {
    private static final String JAVA_OPTIONS = "TRESTLE_JAVA_OPTS";

    /** Positions in the URLs that a server prints. */
    private static final int TABLES = 0;

    private static final int QUEUES = 1;
    private static final int BLOBS = 2;

    private final BenchConfig config;
    private final PrintStream err;
    private final Workspace workspace;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private int sides;

    Servers(BenchConfig config, PrintStream err) throws IOException {
        this.config = config;
        this.err = err;
        this.workspace = new Workspace(config.data());
        open.push(workspace);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop"));
    }

    /** A server to measure, and its description in the report. */
    record Side(Subject subject, Server server) {}

    /** Returns a server with the data; starts it if necessary. */
    Side side(Endpoint.Given given, DataSet data) throws IOException, InterruptedException {
        return switch (given.url()) {
            case BenchConfig.BARE -> bare(data);
            case BenchConfig.OWN -> own(keep(startOwn(workspace.folder(BenchConfig.OWN))), data);
            default -> {
                Optional<QueueTarget> queue = queue(config.queueEndpoint().map(Endpoint::of));
                Optional<BlobTarget> blobs = blobs(config.blobEndpoint().map(Endpoint::of));
                Endpoint endpoint = config.usesBlobsOnly() ? blobs.orElseThrow().endpoint() : Endpoint.of(given);
                Side side = whole(endpoint.toString(), endpoint, queue, blobs, data);
                if (config.drop()) {
                    if (!config.usesBlobsOnly()) {
                        open.push(() -> new BenchTable(endpoint, config.table()).drop());
                    }
                    blobs.ifPresent(target -> open.push(() -> new BenchContainer(target).drop()));
                    queue.ifPresent(target -> open.push(() -> new BenchQueue(target).drop()));
                }
                yield side;
            }
        };
    }

    /** Returns the blob endpoint; starts a server if necessary. */
    Endpoint blobEndpoint() throws IOException {
        if (config.blobEndpoint().isPresent()) {
            return Endpoint.of(config.blobEndpoint().get());
        }
        return Endpoint.of(Endpoint.Given.url(
                keep(startOwn(workspace.folder(BenchConfig.OWN))).urls().get(BLOBS)));
    }

    /** Starts a server. The caller stops it. */
    ServerProcess startOwn(Path data) throws IOException {
        List<String> command = new ArrayList<>(config.serve());
        command.addAll(List.of("--data", data.toString()));
        return start(command);
    }

    /** Starts a process with the JVM options and the class path of this one. */
    private static ServerProcess startJava(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(command);
    }

    private static ServerProcess start(List<String> command) {
        ServerProcess.Builder server =
                ServerProcess.command(command).inheritErrors().stopOnClose();
        Optional.ofNullable(System.getenv(JAVA_OPTIONS))
                .ifPresent(options -> server.environment(JAVA_OPTIONS, options));
        return server.start();
    }

    /** Loads the data into a started server. */
    Side own(ServerProcess server, DataSet data) throws IOException, InterruptedException {
        Endpoint queues = Endpoint.of(Endpoint.Given.url(server.urls().get(QUEUES)));
        Endpoint blobs = Endpoint.of(Endpoint.Given.url(server.urls().get(BLOBS)));
        return whole(
                BenchConfig.OWN,
                Endpoint.of(Endpoint.Given.url(server.urls().get(TABLES))),
                queue(Optional.of(queues)),
                blobs(Optional.of(blobs)),
                data);
    }

    private Optional<QueueTarget> queue(Optional<Endpoint> endpoint) throws IOException, InterruptedException {
        if (!config.usesQueues() || endpoint.isEmpty()) {
            return Optional.empty();
        }
        QueueTarget target = new QueueTarget(endpoint.get(), config.table().toLowerCase(Locale.ROOT));
        new BenchQueue(target).prepare(config.messages(), err);
        return Optional.of(target);
    }

    private Optional<BlobTarget> blobs(Optional<Endpoint> endpoint) {
        return endpoint.filter(any -> config.usesBlobs())
                .map(blobs -> new BlobTarget(blobs, config.table().toLowerCase(Locale.ROOT), config.blobs()));
    }

    /** A server that is there, given all that is asked for. */
    private Side whole(
            String name, Endpoint endpoint, Optional<QueueTarget> queue, Optional<BlobTarget> blobs, DataSet data)
            throws IOException, InterruptedException {
        Target target = Target.table(name, endpoint, config.table());
        String software = "";
        if (blobs.isPresent()) {
            software = new BenchContainer(blobs.get()).prepare(err);
        }
        if (!config.usesBlobsOnly()) {
            software = new BenchTable(endpoint, config.table()).prepare(target, data, err);
        }
        return side(target, queue, blobs, data, endpoint.toString(), software);
    }

    private Side bare(DataSet data) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(workspace.folder(BenchConfig.BARE));
        open.push(() -> Workspace.delete(folder));
        ServerProcess child = keep(startJava(BareLoop.class, folder.toString()));
        URI uri = URI.create(child.urls().get(TABLES));
        Target target = Target.bare(BenchConfig.BARE, new Address(uri.getHost(), uri.getPort(), false));
        Loader.load(target, data, 0, err);
        return side(
                target, Optional.empty(), Optional.empty(), data, child.urls().get(TABLES), "");
    }

    private Side side(
            Target target,
            Optional<QueueTarget> queue,
            Optional<BlobTarget> blobs,
            DataSet data,
            String url,
            String software) {
        Optional<WatchedProcess> process = WatchedProcess.at(target.address());
        // Each server of each run inserts other keys, so that two names of one server do not get in each other's way.
        InsertKeys inserts = new InsertKeys(Long.toString(System.currentTimeMillis(), 36) + "-" + sides++);
        String seen = process.map(WatchedProcess::description).orElse("");
        return new Side(
                new Subject(target, queue, blobs, data, inserts, process),
                new Server(target.name(), url, software, seen));
    }

    private ServerProcess keep(ServerProcess child) {
        open.push(child);
        return child;
    }

    /** Returns the data folder of the servers that are started for the run, if there are any. */
    Optional<Path> disk() throws IOException {
        return config.endpoint().url().equals(BenchConfig.OWN)
                ? Optional.of(Files.createDirectories(workspace.folder("")))
                : Optional.empty();
    }

    Workspace workspace() {
        return workspace;
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                err.println("Could not tidy up: " + e.getMessage());
            }
        }
    }
}
