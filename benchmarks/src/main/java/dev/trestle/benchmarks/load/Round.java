package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One timed run of a workload on one target, with a thread for each connection. The first error ends it. */
final class Round {
    /** Longer latencies are recorded as this one; the round is void by then. */
    private static final long LATENCY_NANOS_MAX = Duration.ofMinutes(10).toNanos();

    private static final int LATENCY_DIGITS = 3;
    private static final Duration PATIENCE_MIN = Duration.ofSeconds(20);

    private final Subject subject;
    private final Workload workload;
    private final Pace pace;
    private final Ticker ticker;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private volatile boolean stopped;
    private volatile long startNanos;

    private Round(Subject subject, Workload workload, Pace pace, Ticker ticker) {
        this.subject = subject;
        this.workload = workload;
        this.pace = pace;
        this.ticker = ticker;
    }

    static Outcome run(Subject subject, Workload workload, int connections, Pace pace) throws InterruptedException {
        return run(subject, workload, connections, pace, Ticker.SYSTEM);
    }

    static Outcome run(Subject subject, Workload workload, int connections, Pace pace, Ticker ticker)
            throws InterruptedException {
        return new Round(subject, workload, pace, ticker).run(connections);
    }

    private Outcome run(int connections) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                workers.add(new Worker(new Caller(subject.address(workload))));
            }
            return measure(workers);
        } catch (IOException e) {
            fail("no connection to " + subject.target().name() + ": " + e.getMessage());
            return outcome(workers, 0, OptionalLong.empty(), 0);
        } finally {
            workers.forEach(Worker::close);
        }
    }

    private Outcome measure(List<Worker> workers) throws InterruptedException {
        OptionalLong cpuBefore = subject.cpuMicros();
        long clientBefore = clientCpuMicros();
        startNanos = ticker.nanoTime();
        workers.forEach(Thread::start);
        Duration patience = pace.duration().compareTo(PATIENCE_MIN) > 0 ? pace.duration() : PATIENCE_MIN;
        long deadline = System.nanoTime() + pace.duration().plus(patience).toNanos();
        for (Worker worker : workers) {
            worker.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            if (worker.isAlive()) {
                fail("requests had no response " + patience.toSeconds() + " s after the end of the round"
                        + (pace.isOpen() ? "; the rate may exceed the capacity of the server" : ""));
                worker.close();
                worker.join();
            }
        }
        long nanos = ticker.nanoTime() - startNanos;
        OptionalLong cpuAfter = subject.cpuMicros();
        OptionalLong cpu = cpuBefore.isPresent() && cpuAfter.isPresent()
                ? OptionalLong.of(cpuAfter.getAsLong() - cpuBefore.getAsLong())
                : OptionalLong.empty();
        return outcome(workers, nanos, cpu, clientCpuMicros() - clientBefore);
    }

    private Outcome outcome(List<Worker> workers, long nanos, OptionalLong cpuMicros, long clientCpuMicros) {
        Histogram latency = newHistogram();
        workers.forEach(worker -> latency.add(worker.latency));
        Optional<String> firstError = Optional.ofNullable(failure.get());
        long failed = workers.stream().filter(worker -> worker.failed).count();
        return new Outcome(
                latency.getTotalCount(),
                nanos,
                latency,
                cpuMicros,
                clientCpuMicros,
                firstError.isPresent() ? Math.max(1, failed) : 0,
                firstError);
    }

    private void fail(String why) {
        failure.compareAndSet(null, why);
        stopped = true;
    }

    static Histogram newHistogram() {
        return new Histogram(LATENCY_NANOS_MAX, LATENCY_DIGITS);
    }

    private static long clientCpuMicros() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime() / 1000
                : 0;
    }

    private final class Worker extends Thread {
        private final Caller caller;
        private final Histogram latency = newHistogram();
        private volatile boolean failed;

        Worker(Caller caller) {
            super("load");
            setDaemon(true);
            this.caller = caller;
        }

        @Override
        public void run() {
            try {
                Requests requests = subject.newRequests(new SplittableRandom());
                while (!stopped) {
                    long intended = pace.next(ticker.nanoTime() - startNanos);
                    if (intended == Pace.OVER) {
                        return;
                    }
                    Unit unit = requests.next(workload);
                    long from = pace.isOpen() ? await(startNanos + intended) : ticker.nanoTime();
                    unit.perform(caller);
                    latency.recordValue(Math.min(LATENCY_NANOS_MAX, ticker.nanoTime() - from));
                }
            } catch (IOException | RuntimeException e) {
                // Later failures may be connections that were closed because of the first.
                failed = !stopped;
                fail(e instanceof Caller.UnexpectedResponse ? String.valueOf(e.getMessage()) : e.toString());
            }
        }

        private long await(long nanos) {
            ticker.waitUntil(nanos);
            return nanos;
        }

        void close() {
            try {
                caller.close();
            } catch (IOException e) {
                // The connection is not used again.
            }
        }
    }
}
