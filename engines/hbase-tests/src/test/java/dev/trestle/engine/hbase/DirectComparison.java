package dev.trestle.engine.hbase;

import dev.trestle.benchmarks.load.BenchTable;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Endpoint;
import dev.trestle.benchmarks.load.InsertKeys;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Measurement;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Subject;
import dev.trestle.benchmarks.load.Target;
import dev.trestle.benchmarks.load.WatchedProcess;
import dev.trestle.benchmarks.load.Workload;
import dev.trestle.sandbox.Sandbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares a front end under HTTP load with a plain HBase client that runs the same workload:
 * {@code DirectComparison SANDBOX LAUNCHER [ROUNDS [SECONDS [WORKLOAD,...]]]}. Both take turns on one cluster. The
 * front end is started and stopped here. All processes share the machine, so CPU time limits the throughput. It is
 * printed too, with the ratio that excludes the load driver, which would run on another machine.
 */
final class DirectComparison {
    private static final int PARTITIONS = 20;
    private static final long COLLECTION = 0x0101_0101_0101_0109L;
    private static final Duration WARM_UP = Duration.ofSeconds(90);
    private static final int CONCURRENT = 64;
    private static final int ATTEMPTS_MAX = 3;
    private static final List<Workload> WORKLOADS = List.of(
            Workload.POINT_READ, Workload.RANGE_100, Workload.TABLE_SCAN, Workload.INSERT, Workload.TRANSACTION_100);

    private final Sandbox sandbox;
    private final ProcessHandle frontEnd;
    private final Subject subject;
    private final DirectClient direct;
    private final String run = Long.toString(System.currentTimeMillis(), 36);

    private DirectComparison(Sandbox sandbox, ProcessHandle frontEnd, Subject subject, DirectClient direct) {
        this.sandbox = sandbox;
        this.frontEnd = frontEnd;
        this.subject = subject;
        this.direct = direct;
    }

    /** Requests of a round and their CPU time. */
    private record Turn(
            double requests, double seconds, double clientMicros, double frontEndMicros, double clusterMicros) {
        static final Turn NONE = new Turn(0, 0, 0, 0, 0);

        Turn plus(Turn other) {
            return new Turn(
                    requests + other.requests,
                    seconds + other.seconds,
                    clientMicros + other.clientMicros,
                    frontEndMicros + other.frontEndMicros,
                    clusterMicros + other.clusterMicros);
        }

        double rate() {
            return requests / seconds;
        }

        double micros(double used) {
            return used / requests;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Sandbox sandbox = Sandbox.existing(Path.of(arguments[0])).orElseThrow();
        int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 6;
        Duration time = Duration.ofSeconds(arguments.length > 3 ? Long.parseLong(arguments[3]) : 5);
        List<Workload> workloads = arguments.length > 4
                ? Arrays.stream(arguments[4].split(","))
                        .map(word -> Workload.of(word).orElseThrow())
                        .toList()
                : WORKLOADS;
        Process server = new ProcessBuilder(
                        Path.of(arguments[1]).toAbsolutePath().toString(),
                        "serve",
                        "--table-port",
                        "0",
                        "--engine",
                        "hbase",
                        "--hbase-quorum",
                        sandbox.quorum())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Endpoint endpoint = Endpoint.of(Endpoint.Given.url(address(server)));
            Target target = Target.table("front end", endpoint, "bench");
            DataSet data = DataSet.of((long) PARTITIONS * DataSet.PARTITION_ROWS);
            new BenchTable(endpoint, "bench").prepare(target, data, System.err);
            Subject subject = new Subject(
                    target,
                    Optional.empty(),
                    Optional.empty(),
                    data,
                    new InsertKeys(Long.toString(System.currentTimeMillis(), 36)),
                    WatchedProcess.at(target.address()));
            try (DirectClient direct = new DirectClient(sandbox.quorum(), Schema.table("trestle"), COLLECTION)) {
                direct.load(PARTITIONS);
                direct.flush();
                new DirectComparison(sandbox, server.toHandle(), subject, direct).run(workloads, rounds, time);
            }
        } finally {
            server.destroy();
            server.waitFor();
        }
        System.exit(0);
    }

    private static String address(Process server) throws IOException {
        BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
        Pattern endpoint = Pattern.compile("Table endpoint\\s+(http://\\S+)");
        String address = "";
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher matcher = endpoint.matcher(line);
            if (matcher.find()) {
                address = matcher.group(1);
            }
            if (line.startsWith("Ready")) {
                return address;
            }
        }
        throw new IOException("The front end did not start.");
    }

    @SuppressWarnings("SystemOut") // What it is for.
    private void run(List<Workload> workloads, int rounds, Duration time) throws Exception {
        System.out.printf(
                "%-16s %5s %10s %10s %6s %11s %12s   CPU us a request%n",
                "", "conc.", "direct/s", "front/s", "ratio", "of rounds", "less driver");
        for (Workload workload : workloads) {
            directly(workload, WARM_UP);
            overHttp(workload, WARM_UP);
            Turn one = Turn.NONE;
            Turn other = Turn.NONE;
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                boolean first = round % 2 == 0;
                Turn before = first ? directly(workload, time) : overHttp(workload, time);
                Turn after = first ? overHttp(workload, time) : directly(workload, time);
                Turn plain = first ? before : after;
                Turn served = first ? after : before;
                ratios.add(served.rate() / plain.rate());
                one = one.plus(plain);
                other = other.plus(served);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-16s %5d %,10.0f %,10.0f %6.2f %5.2f-%5.2f %12.2f   direct: client %.0f, cluster %.0f;"
                            + " front end: driver %.0f, front end %.0f, cluster %.0f%n",
                    workload.word(),
                    concurrent(workload),
                    one.rate(),
                    other.rate(),
                    other.rate() / one.rate(),
                    Collections.min(ratios),
                    Collections.max(ratios),
                    one.micros(one.clientMicros + one.clusterMicros)
                            / other.micros(other.frontEndMicros + other.clusterMicros),
                    one.micros(one.clientMicros),
                    one.micros(one.clusterMicros),
                    other.micros(other.clientMicros),
                    other.micros(other.frontEndMicros),
                    other.micros(other.clusterMicros));
        }
    }

    /** Few pages of a thousand rows are requested concurrently, as in the load driver. */
    private static int concurrent(Workload workload) {
        return workload == Workload.TABLE_SCAN ? workload.usualConnections() : CONCURRENT;
    }

    private Turn overHttp(Workload workload, Duration time) throws InterruptedException {
        Plan plan = new Plan(
                List.of(workload), OptionalInt.of(concurrent(workload)), time, Duration.ZERO, new Mode.Closed(), 1);
        // A split during the round ends pages early, which the driver counts as an error. The next round has none.
        for (int attempt = 1; ; attempt++) {
            direct.settle();
            Map<String, Double> before = cpu();
            Measured measured = new Measurement(plan, Optional.empty())
                    .measureAll(subject, begun -> {})
                    .get(0);
            Optional<String> error = measured.outcome().firstError();
            if (error.isEmpty()) {
                return turn(measured.outcome().requests(), measured.outcome().nanos() / 1e9, before);
            }
            if (attempt == ATTEMPTS_MAX) {
                throw new IllegalStateException(error.get());
            }
        }
    }

    private Turn directly(Workload workload, Duration time) throws InterruptedException {
        direct.settle();
        Map<String, Double> before = cpu();
        long begun = System.nanoTime();
        Loop loop = new Loop(() -> request(workload), begun + time.toNanos());
        long requests = loop.run(concurrent(workload));
        return turn(requests, (System.nanoTime() - begun) / 1e9, before);
    }

    private CompletionStage<?> request(Workload workload) {
        SplittableRandom random = new SplittableRandom();
        int partition = random.nextInt(PARTITIONS);
        return switch (workload) {
            case POINT_READ -> direct.read(partition, random.nextInt(DirectClient.PARTITION_ROWS));
            case RANGE_100 -> direct.range(partition, random.nextInt(DirectClient.PARTITION_ROWS - 99), 100);
            case TABLE_SCAN -> direct.page(partition);
            case INSERT -> direct.insert(run, 1);
            case TRANSACTION_100 -> direct.insert(run, 100);
            default -> throw new IllegalArgumentException(workload.word() + " is not compared");
        };
    }

    /** Sends so many requests concurrently; each response starts the next one. */
    private static final class Loop {
        private final Supplier<CompletionStage<?>> requests;
        private final long endNanos;
        private final LongAdder answered = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Loop(Supplier<CompletionStage<?>> requests, long endNanos) {
            this.requests = requests;
            this.endNanos = endNanos;
        }

        long run(int concurrent) throws InterruptedException {
            CountDownLatch over = new CountDownLatch(concurrent);
            for (int i = 0; i < concurrent; i++) {
                next(over);
            }
            over.await();
            Throwable first = failure.get();
            if (first != null) {
                throw new IllegalStateException("a direct request failed", first);
            }
            return answered.sum();
        }

        private void next(CountDownLatch over) {
            if (System.nanoTime() > endNanos || failure.get() != null) {
                over.countDown();
                return;
            }
            requests.get().whenComplete((answer, fault) -> {
                if (fault != null) {
                    failure.compareAndSet(null, fault);
                }
                answered.increment();
                next(over);
            });
        }
    }

    private Turn turn(long requests, double seconds, Map<String, Double> before) {
        Map<String, Double> now = cpu();
        return new Turn(
                (double) requests,
                seconds,
                used("client", before, now),
                used("front end", before, now),
                used("cluster", before, now));
    }

    private static double used(String who, Map<String, Double> before, Map<String, Double> now) {
        return now.getOrDefault(who, 0.0) - before.getOrDefault(who, 0.0);
    }

    /** Returns the CPU time so far in microseconds. */
    private Map<String, Double> cpu() {
        return Map.of(
                "client", micros(Stream.of(ProcessHandle.current())),
                "front end", micros(Stream.of(frontEnd)),
                "cluster",
                        micros(sandbox.processes().stream()
                                .flatMap(process -> process.pid().stream().boxed())
                                .map(ProcessHandle::of)
                                .flatMap(Optional::stream)));
    }

    private static double micros(Stream<ProcessHandle> processes) {
        return processes
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToDouble(time -> time.toNanos() / 1e3)
                .sum();
    }
}
