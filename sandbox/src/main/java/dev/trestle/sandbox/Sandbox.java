package dev.trestle.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An HBase cluster of real processes on this machine, with data, settings, logs and process ids in one folder. The
 * processes outlive the one that started them; another process can manage them by the folder. Listens on 127.0.0.1
 * only.
 */
public final class Sandbox implements AutoCloseable {
    private static final Duration START_TIME_MAX = Duration.ofMinutes(3);
    private static final Duration STOP_TIME_MAX = Duration.ofSeconds(30);
    private static final Duration PORT_TIME_MAX = Duration.ofSeconds(5);
    private static final int PAUSE_MILLIS = 100;

    private final Folder folder;
    private final Layout layout;
    private final JavaCommand java;

    private Sandbox(Folder folder, Layout layout) {
        this.folder = folder;
        this.layout = layout;
        this.java = new JavaCommand(folder.path(), folder.settings());
    }

    /** A cluster on HDFS: ZooKeeper, a name node, a data node, a master and region servers, a process each. */
    public static Sandbox separate(Path data, int servers) {
        return open(data, false, servers);
    }

    /** A cluster on the local file system within one process: sooner up, and smaller. */
    public static Sandbox oneJvm(Path data, int servers) {
        return open(data, true, servers);
    }

    /** The sandbox that was made in this folder before. */
    public static Optional<Sandbox> existing(Path data) {
        Folder folder = new Folder(data);
        return folder.layout().map(layout -> new Sandbox(folder, layout));
    }

    private static Sandbox open(Path data, boolean oneJvm, int servers) {
        Optional<Sandbox> before = existing(data);
        before.ifPresent(sandbox -> sandbox.requireFitFor(oneJvm, servers));
        Map<String, Integer> ports = before.<Map<String, Integer>>map(sandbox -> sandbox.layout.ports())
                .orElse(Map.of());
        Sandbox sandbox = new Sandbox(new Folder(data), Layout.choose(oneJvm, servers, ports));
        sandbox.folder.write(sandbox.layout);
        return sandbox;
    }

    private void requireFitFor(boolean oneJvm, int servers) {
        if (oneJvm != layout.oneJvm()) {
            throw new SandboxException("The sandbox in " + folder.path() + " has "
                    + (oneJvm ? "a process for each part" : "all in one process")
                    + "; go on with that, or use another folder.");
        }
        if (servers < layout.servers()) {
            throw new SandboxException("The sandbox in " + folder.path() + " has " + layout.servers()
                    + " region servers and can only grow; use another folder for a smaller one.");
        }
        if (oneJvm && servers > layout.servers() && running(Role.ONE_JVM, 1)) {
            throw new SandboxException("A sandbox in one process takes more region servers only when it is stopped.");
        }
    }

    /** Returns the ZooKeeper quorum, which HBase clients connect to. */
    public String quorum() {
        return "127.0.0.1:" + layout.port("zookeeper");
    }

    boolean inOneJvm() {
        return layout.oneJvm();
    }

    int servers() {
        return layout.servers();
    }

    /** Every process that the cluster consists of, running or not, in the order of their start. */
    public List<SandboxProcess> processes() {
        if (layout.oneJvm()) {
            return List.of(process(Role.ONE_JVM, 1));
        }
        return Stream.concat(
                        Stream.of(Role.ZOOKEEPER, Role.NAMENODE, Role.DATANODE, Role.MASTER)
                                .map(role -> process(role, 1)),
                        IntStream.rangeClosed(1, layout.servers()).mapToObj(i -> process(Role.REGION_SERVER, i)))
                .toList();
    }

    private SandboxProcess process(Role role, int index) {
        int port = layout.port(layout.listeners(role, index).get(0));
        OptionalLong pid =
                handle(role, index).map(handle -> OptionalLong.of(handle.pid())).orElse(OptionalLong.empty());
        return new SandboxProcess(role, index, port, pid);
    }

    private Optional<ProcessHandle> handle(Role role, int index) {
        return folder.pidFile(SandboxProcess.name(role, index)).find();
    }

    private boolean running(Role role, int index) {
        return handle(role, index).isPresent();
    }

    /** Starts all processes that do not run; returns when the cluster serves. */
    public void start() {
        start(line -> {});
    }

    /**
     * Like {@link #start()}, and reports progress.
     *
     * @throws SandboxException when a process ends or the time is over; whatever was started here is ended before
     */
    public void start(Consumer<String> progress) {
        long begin = System.nanoTime();
        folder.locked(() -> {
            List<SandboxProcess> missing =
                    processes().stream().filter(process -> !process.running()).toList();
            try {
                // A master that does not find its files at once gives up.
                begin(missing, process -> process.role().compareTo(Role.MASTER) < 0, progress);
                begin(missing, process -> process.role().compareTo(Role.MASTER) >= 0, progress);
                awaitServing();
            } catch (RuntimeException | Error e) {
                missing.forEach(process -> kill(process.role(), process.index()));
                throw e;
            }
            progress.accept(missing.isEmpty() ? "The cluster runs already." : "It serves after " + since(begin) + ".");
        });
    }

    private void begin(List<SandboxProcess> missing, Predicate<SandboxProcess> wanted, Consumer<String> progress) {
        List<SandboxProcess> processes = missing.stream().filter(wanted).toList();
        if (processes.isEmpty()) {
            return;
        }
        long begin = System.nanoTime();
        progress.accept(
                "Starting " + processes.stream().map(SandboxProcess::name).collect(Collectors.joining(", ")) + " ...");
        processes.forEach(this::begin);
        await(processes, () -> processes.stream().allMatch(process -> listens(process.port())));
        progress.accept("  listening after " + since(begin));
    }

    private void begin(SandboxProcess process) {
        layout.listeners(process.role(), process.index()).forEach(this::requireFreePort);
        try {
            Files.deleteIfExists(folder.readyFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Process begun = java.begin(
                process.role().javaOptions(),
                process.role().mainClass(),
                arguments(process),
                folder.log(process.name()));
        folder.pidFile(process.name()).write(begun.toHandle());
    }

    /** Waits until the port is free: the system releases the ports of a killed process after its memory. */
    private void requireFreePort(String listener) {
        int port = layout.port(listener);
        if (!eventually(PORT_TIME_MAX, () -> Layout.free(port))) {
            throw new SandboxException("Port " + port + ", which was chosen for " + listener
                    + ", is taken by another program; stop that one first.");
        }
    }

    private List<String> arguments(SandboxProcess process) {
        String zookeeper =
                folder.settings().resolve(ClusterFiles.ZOOKEEPER_FILE).toString();
        return switch (process.role()) {
            case ZOOKEEPER -> List.of(zookeeper);
            case NAMENODE, DATANODE -> List.of();
            case MASTER -> List.of("start");
            case REGION_SERVER -> List.of("-Dhbase.regionserver.port=" + process.port(), "start");
            case ONE_JVM ->
                Stream.concat(Stream.of(zookeeper, folder.readyFile().toString()), serverPorts())
                        .toList();
        };
    }

    private Stream<String> serverPorts() {
        return IntStream.rangeClosed(1, layout.servers())
                .mapToObj(i -> String.valueOf(layout.port(SandboxProcess.name(Role.REGION_SERVER, i))));
    }

    /** Waits for the file that says so; deleted by every start, it is missing when one was broken off. */
    private void awaitServing() {
        if (layout.oneJvm()) {
            await(processes(), () -> Files.exists(folder.readyFile()));
        } else if (!Files.exists(folder.readyFile())) {
            askUntilServing();
        }
    }

    private void askUntilServing() {
        String name = "readiness";
        Process readiness = java.begin(
                List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"),
                "dev.trestle.sandbox.node.Readiness",
                serversWithStart(),
                folder.log(name));
        try {
            await(processes(), () -> !readiness.isAlive());
            if (readiness.exitValue() != 0) {
                throw new SandboxException("The cluster could not be asked whether it serves" + folder.lastWords(name));
            }
            Files.createFile(folder.readyFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            readiness.destroyForcibly();
        }
    }

    private List<String> serversWithStart() {
        return processes().stream()
                .filter(process -> process.role() == Role.REGION_SERVER)
                .flatMap(process -> Stream.of(
                        String.valueOf(process.port()),
                        String.valueOf(handle(process.role(), process.index())
                                .map(PidFile::startMillis)
                                .orElse(0L))))
                .toList();
    }

    private void await(List<SandboxProcess> started, BooleanSupplier reached) {
        boolean inTime = eventually(START_TIME_MAX, () -> {
            for (SandboxProcess process : started) {
                if (!running(process.role(), process.index())) {
                    throw new SandboxException(
                            process.name() + " ended during the start" + folder.lastWords(process.name()));
                }
            }
            return reached.getAsBoolean();
        });
        if (!inTime) {
            throw new SandboxException("The cluster does not serve after " + START_TIME_MAX.toSeconds()
                    + " s; the logs in " + folder.path().resolve("logs") + " may tell why.");
        }
    }

    /** SIGKILL; returns when the process has ended. Nothing happens to one that does not run. */
    public void kill(Role role, int index) {
        handle(role, index).ifPresent(ProcessHandle::destroyForcibly);
        awaitEnd(role, index);
    }

    /** SIGSTOP: the process stays, and when this returns does nothing, until it is resumed. */
    public void pause(Role role, int index) {
        signal("STOP", role, index);
        // SIGSTOP reaches the threads one after the other; a running one may still respond to a request.
        Path threads = Path.of("/proc", String.valueOf(pid(role, index)), "task");
        eventually(STOP_TIME_MAX, () -> !Files.isDirectory(threads) || allStopped(threads));
    }

    private static boolean allStopped(Path threads) {
        try (Stream<Path> each = Files.list(threads)) {
            return each.allMatch(Sandbox::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the state, which follows the name in parentheses; the name may contain some itself. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith("T", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return !Files.exists(thread);
        }
    }

    /** SIGCONT. */
    public void resume(Role role, int index) {
        signal("CONT", role, index);
    }

    private long pid(Role role, int index) {
        return handle(role, index)
                .orElseThrow(() -> new SandboxException(SandboxProcess.name(role, index) + " does not run."))
                .pid();
    }

    private void signal(String signal, Role role, int index) {
        long pid = pid(role, index);
        try {
            int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0 && running(role, index)) {
                throw new IllegalStateException("kill -" + signal + " " + pid + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Stops all processes, each before those that it depends on, so that all data are flushed. */
    public void stop() {
        folder.locked(() -> {
            Stream.of(Role.ONE_JVM, Role.MASTER, Role.REGION_SERVER, Role.DATANODE, Role.NAMENODE, Role.ZOOKEEPER)
                    .forEach(this::stop);
        });
    }

    private void stop(Role role) {
        List<SandboxProcess> processes = processes().stream()
                .filter(process -> process.role() == role && process.running())
                .toList();
        // All at once before any is waited for. A process that is paused would never hear of it.
        for (SandboxProcess process : processes) {
            signal("CONT", role, process.index());
            handle(role, process.index()).ifPresent(ProcessHandle::destroy);
        }
        for (SandboxProcess process : processes) {
            if (!awaitEnd(role, process.index())) {
                kill(role, process.index());
            }
        }
    }

    private boolean awaitEnd(Role role, int index) {
        return eventually(STOP_TIME_MAX, () -> !running(role, index));
    }

    /** Kills all processes. Acknowledged writes are on disk; {@link #stop} is a graceful shutdown. */
    @Override
    public void close() {
        processes()
                .forEach(process -> handle(process.role(), process.index()).ifPresent(ProcessHandle::destroyForcibly));
        processes().forEach(process -> awaitEnd(process.role(), process.index()));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String since(long begin) {
        return String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - begin) / 1e9);
    }

    private static boolean eventually(Duration timeMax, BooleanSupplier reached) {
        long end = System.nanoTime() + timeMax.toNanos();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
        return true;
    }

    private static SandboxException interrupted() {
        Thread.currentThread().interrupt();
        return new SandboxException("Interrupted while waiting for the sandbox.");
    }
}
