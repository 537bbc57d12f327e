package dev.trestle.benchmarks;

import dev.trestle.benchmarks.Target.Call;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Starts Trestle and the bare loop, gives both the same data, and alternates short rounds of each workload between them,
 * so that what the machine does meanwhile falls on both alike. Prints requests a second and the server's CPU time a
 * request, and their ratio. Arguments: the path of trestle.jar, the seconds of a round, how many rounds, and one
 * workload if not all.
 */
public final class FirstFigures {
    private static final int PARTITIONS = 100;
    private static final int ROWS = 1000;
    private static final int CONNECTIONS = 64;
    private static final int PAGE_CONNECTIONS = 4;
    private static final int TRANSACTION_ROWS = 100;

    private enum Workload {
        POINT_READ,
        INSERT,
        TRANSACTION_100,
        PAGE_1000
    }

    /** What rounds of one workload on one server add up to. */
    private static final class Sum {
        long requests;
        long nanos;
        long cpuMicros;
    }

    private final AtomicInteger nextRow = new AtomicInteger(10_000_000);

    private FirstFigures() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<Workload> workloads = args.length > 3
                ? List.of(Workload.valueOf(args[3].toUpperCase(Locale.ROOT)))
                : List.of(Workload.values());
        new FirstFigures().run(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]), workloads);
    }

    private void run(String jar, int seconds, int rounds, List<Workload> workloads)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("trestle-figures");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        int tablePort = freePort();
        int barePort = freePort();
        Process trestle = start(
                "Ready",
                java,
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "-cp",
                jar,
                "dev.trestle.cli.Main",
                "serve",
                "--table-port",
                Integer.toString(tablePort),
                "--data",
                folder.resolve("trestle").toString());
        Files.createDirectories(folder.resolve("bare"));
        Process bare = start(
                "ready",
                java,
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                BareLoop.class.getName(),
                Integer.toString(barePort),
                folder.resolve("bare").toString());
        try {
            TableTarget table = new TableTarget(tablePort);
            try (Connection connection = new Connection(tablePort)) {
                Call create = table.createTable();
                connection.exchange(create.head(), create.body());
            }
            List<Target> targets = List.of(table, new BareTarget(barePort));
            List<Process> processes = List.of(trestle, bare);
            for (Target target : targets) {
                load(target);
            }
            print(measure(targets, processes, workloads, seconds, rounds));
        } finally {
            trestle.destroy();
            bare.destroy();
            trestle.waitFor();
            bare.waitFor();
            delete(folder);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Process start(String readyWord, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(readyWord)) {
                return process;
            }
        }
        throw new IOException("a server did not start: " + String.join(" ", command));
    }

    private static void load(Target target) throws IOException {
        try (Connection connection = new Connection(target.port())) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                for (int row = 0; row < ROWS; row += TRANSACTION_ROWS) {
                    Call call = target.transaction(partition, row, TRANSACTION_ROWS);
                    check(target, call, connection.exchange(call.head(), call.body()));
                }
            }
        }
    }

    private Map<Workload, List<Sum>> measure(
            List<Target> targets, List<Process> processes, List<Workload> workloads, int seconds, int rounds)
            throws IOException, InterruptedException {
        Map<Workload, List<Sum>> sums = new EnumMap<>(Workload.class);
        for (Workload workload : workloads) {
            sums.put(workload, List.of(new Sum(), new Sum()));
            // The first round warms both up and does not count.
            for (int round = 0; round <= rounds; round++) {
                for (int i = 0; i < targets.size(); i++) {
                    Sum sum = round == 0 ? new Sum() : sums.get(workload).get(i);
                    round(targets.get(i), processes.get(i).pid(), workload, seconds, sum);
                }
            }
        }
        return sums;
    }

    private void round(Target target, long pid, Workload workload, int seconds, Sum sum)
            throws IOException, InterruptedException {
        int connections = workload == Workload.PAGE_1000 ? PAGE_CONNECTIONS : CONNECTIONS;
        AtomicLong requests = new AtomicLong();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long cpuBefore = cpuMicros(pid);
        long begin = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Thread thread = new Thread(() -> {
                try (Connection connection = new Connection(target.port())) {
                    while (System.nanoTime() < end) {
                        Call call = call(target, workload);
                        check(target, call, connection.exchange(call.head(), call.body()));
                        requests.incrementAndGet();
                    }
                } catch (IOException | RuntimeException e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException(target.name() + " " + workload + " failed", failures.get(0));
        }
        sum.requests += requests.get();
        sum.nanos += System.nanoTime() - begin;
        sum.cpuMicros += cpuMicros(pid) - cpuBefore;
    }

    private Call call(Target target, Workload workload) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int partition = random.nextInt(PARTITIONS);
        return switch (workload) {
            case POINT_READ -> target.pointRead(partition, random.nextInt(ROWS));
            case INSERT -> target.insert(partition, nextRow.incrementAndGet());
            case TRANSACTION_100 ->
                target.transaction(partition, nextRow.addAndGet(TRANSACTION_ROWS), TRANSACTION_ROWS);
            case PAGE_1000 -> target.page(random.nextInt(PARTITIONS - 1));
        };
    }

    private static void check(Target target, Call call, int status) {
        if (status != call.expectedStatus()) {
            throw new IllegalStateException(target.name() + " answered " + status + " to "
                    + call.head().lines().findFirst().orElse(""));
        }
    }

    /** User and system time of a process, from the kernel's books, in ticks of 10 ms. */
    private static long cpuMicros(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000;
    }

    private static void print(Map<Workload, List<Sum>> sums) {
        System.out.printf(
                Locale.ROOT,
                "%-16s %12s %12s %14s %14s %7s%n",
                "workload",
                "Trestle /s",
                "bare /s",
                "Trestle us",
                "bare us",
                "ratio");
        sums.forEach((workload, pair) -> {
            double mine = cpuPerRequest(pair.get(0));
            double bare = cpuPerRequest(pair.get(1));
            System.out.printf(
                    Locale.ROOT,
                    "%-16s %12.0f %12.0f %14.1f %14.1f %7.2f%n",
                    workload.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    rate(pair.get(0)),
                    rate(pair.get(1)),
                    mine,
                    bare,
                    mine / bare);
        });
    }

    private static double cpuPerRequest(Sum sum) {
        return (double) sum.cpuMicros / sum.requests;
    }

    private static double rate(Sum sum) {
        return sum.requests / (sum.nanos / 1e9);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
