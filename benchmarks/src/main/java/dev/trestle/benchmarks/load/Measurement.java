package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Measures workloads as a plan says. It stops at the first error. */
public final class Measurement {
    private static final Duration CALIBRATION_MAX = Duration.ofSeconds(2);

    /** The approximate length of an entity in the write-ahead log of a server. */
    private static final int ENTITY_LOG_BYTES = 700;

    private final Plan plan;
    private final Optional<Path> disk;

    /**
     * Creates a measurement of a plan.
     *
     * @param disk a folder on the disk of the servers, if they are on this machine; open loops of writes are compared with
     *     its syncs
     */
    public Measurement(Plan plan, Optional<Path> disk) {
        this.plan = plan;
        this.disk = disk;
    }

    /** Measures all workloads on one server up to the first failure, and reports each before it begins. */
    public List<Measured> measureAll(Subject subject, Consumer<Workload> progress) throws InterruptedException {
        Optional<Measured> failed = warmUp(subject);
        if (failed.isPresent()) {
            return List.of(failed.get());
        }
        List<Measured> all = new ArrayList<>();
        for (Workload workload : plan.workloads()) {
            progress.accept(workload);
            Measured measured = measure(subject, workload);
            all.add(measured);
            if (measured.outcome().errors() > 0) {
                break;
            }
        }
        return all;
    }

    /** Measures all workloads on two servers in turns up to the first failure, and reports each before it begins. */
    public List<Comparison> compareAll(Subject first, Subject second, Consumer<Workload> progress)
            throws IOException, InterruptedException {
        for (Subject subject : List.of(first, second)) {
            Optional<Measured> failed = warmUp(subject);
            if (failed.isPresent()) {
                return List.of(new Comparison(failed.get(), Optional.empty(), List.of(), Optional.empty()));
            }
        }
        List<Comparison> all = new ArrayList<>();
        for (Workload workload : plan.workloads()) {
            progress.accept(workload);
            Comparison comparison = compare(first, second, workload);
            all.add(comparison);
            if (comparison.isVoid()) {
                break;
            }
        }
        return all;
    }

    /**
     * Runs all workloads that do not change the loaded rows once without counting them. Otherwise the first workload would
     * pay for class loading and compilation, and a server with little data for more of it than one with much.
     *
     * @return the workload that failed, if one did
     */
    private Optional<Measured> warmUp(Subject subject) throws InterruptedException {
        for (Workload workload : plan.workloads()) {
            boolean harmless = workload.leavesLoadedRows() && subject.speaks(workload);
            Outcome outcome = harmless ? warmUp(subject, workload) : Outcome.none();
            if (outcome.errors() > 0) {
                return Optional.of(
                        Measured.of(subject, workload, plan.connections(workload), new Mode.Closed(), outcome));
            }
        }
        return Optional.empty();
    }

    private Measured measure(Subject subject, Workload workload) throws InterruptedException {
        int connections = plan.connections(workload);
        subject.awaitIdle();
        Outcome warmUp = warmUp(subject, workload);
        if (warmUp.errors() > 0) {
            return Measured.of(subject, workload, connections, new Mode.Closed(), warmUp);
        }
        Mode mode = plan.mode();
        if (mode instanceof Mode.Share share) {
            Outcome reached = calibrate(subject, workload);
            if (reached.errors() > 0) {
                return Measured.of(subject, workload, connections, new Mode.Closed(), reached);
            }
            mode = share.of(reached.requestsPerSecond());
        }
        Outcome outcome = Round.run(subject, workload, connections, pace(mode));
        return Measured.of(subject, workload, connections, mode, outcome);
    }

    /** Measures a workload on two servers in turns, so that noise of the machine affects both. */
    private Comparison compare(Subject first, Subject second, Workload workload)
            throws IOException, InterruptedException {
        int connections = plan.connections(workload);
        List<Subject> subjects = second.speaks(workload) ? List.of(first, second) : List.of(first);
        List<Outcome> sums = new ArrayList<>();
        for (Subject subject : subjects) {
            subject.awaitIdle();
            sums.add(warmUp(subject, workload));
        }
        Mode mode = plan.mode();
        if (!failed(sums) && mode instanceof Mode.Share share) {
            for (int i = 0; i < subjects.size(); i++) {
                sums.set(i, calibrate(subjects.get(i), workload));
            }
            // One rate for both, which the slower one can serve.
            mode = share.of(
                    sums.stream().mapToDouble(Outcome::requestsPerSecond).min().orElseThrow());
        }
        boolean failed = failed(sums);
        if (!failed) {
            sums.replaceAll(sum -> Outcome.none());
        }
        List<Double> ratios = new ArrayList<>();
        Optional<Histogram> syncs = Optional.empty();
        for (int round = 0; round < plan.rounds() && !failed; round++) {
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < subjects.size(); i++) {
                Outcome outcome = Round.run(subjects.get(i), workload, connections, pace(mode));
                outcomes.add(outcome);
                sums.set(i, sums.get(i).plus(outcome));
                failed |= outcome.errors() > 0;
            }
            syncs = plus(syncs, syncs(workload, mode));
            Optional<Outcome> other = outcomes.stream().skip(1).findFirst();
            Comparison.ratio(outcomes.get(0), other).ifPresent(ratios::add);
        }
        List<Measured> measured = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            measured.add(Measured.of(
                    subjects.get(i), workload, connections, failed ? new Mode.Closed() : mode, sums.get(i)));
        }
        return new Comparison(measured.get(0), measured.stream().skip(1).findFirst(), ratios, syncs);
    }

    private static boolean failed(List<Outcome> outcomes) {
        return outcomes.stream().anyMatch(outcome -> outcome.errors() > 0);
    }

    /** Measures the throughput of a closed loop. */
    private Outcome calibrate(Subject subject, Workload workload) throws InterruptedException {
        Duration calibration = plan.duration().compareTo(CALIBRATION_MAX) < 0 ? plan.duration() : CALIBRATION_MAX;
        return Round.run(subject, workload, plan.connections(workload), Pace.closed(calibration));
    }

    /** Measures the syncs of the disk alone at the same rate of writes. */
    private Optional<Histogram> syncs(Workload workload, Mode mode) throws IOException {
        if (disk.isEmpty() || !(mode instanceof Mode.Open open) || workload.writeShare() == 0) {
            return Optional.empty();
        }
        return Optional.of(new DiskLog(disk.get())
                .syncs(
                        plan.duration(),
                        open.requestsPerSecond() * workload.writeShare(),
                        workload.entities() * ENTITY_LOG_BYTES));
    }

    private static Optional<Histogram> plus(Optional<Histogram> sum, Optional<Histogram> more) {
        sum.ifPresent(histogram -> more.ifPresent(histogram::add));
        return sum.or(() -> more);
    }

    private Outcome warmUp(Subject subject, Workload workload) throws InterruptedException {
        return Round.run(subject, workload, plan.connections(workload), Pace.closed(plan.warmUp()));
    }

    private Pace pace(Mode mode) {
        if (mode instanceof Mode.Open open) {
            return Pace.open(plan.duration(), open.requestsPerSecond());
        } else if (mode instanceof Mode.Closed) {
            return Pace.closed(plan.duration());
        }
        throw new AssertionError(mode);
    }
}
