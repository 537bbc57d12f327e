package dev.trestle.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Measures workloads as a plan says. An outcome with errors is the last that is worth having. */
public final class Measurement {
    private static final Duration CALIBRATION_MAX = Duration.ofSeconds(2);

    private final Plan plan;

    public Measurement(Plan plan) {
        this.plan = plan;
    }

    /** All workloads on one server, up to the first that fails; each is told of before it begins. */
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

    /** All workloads on two servers, in the same way. */
    public List<Comparison> compareAll(Subject first, Subject second, Consumer<Workload> progress)
            throws InterruptedException {
        for (Subject subject : List.of(first, second)) {
            Optional<Measured> failed = warmUp(subject);
            if (failed.isPresent()) {
                return List.of(new Comparison(failed.get(), Optional.empty(), List.of()));
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
     * Runs once without counting through all workloads that leave the rows to be read as they are, so that the first to be
     * measured does not pay for what a server does for the first time, nor a server with little to load more than one with
     * much.
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
            Duration calibration = plan.duration().compareTo(CALIBRATION_MAX) < 0 ? plan.duration() : CALIBRATION_MAX;
            Outcome reached = Round.run(subject, workload, connections, Pace.closed(calibration));
            if (reached.errors() > 0) {
                return Measured.of(subject, workload, connections, new Mode.Closed(), reached);
            }
            mode = new Mode.Open(Math.max(1, share.share() * reached.requestsPerSecond()));
        }
        Outcome outcome = Round.run(subject, workload, connections, pace(mode));
        return Measured.of(subject, workload, connections, mode, outcome);
    }

    /** One workload on two servers that take turns, so that what the machine does meanwhile falls on both alike. */
    private Comparison compare(Subject first, Subject second, Workload workload) throws InterruptedException {
        int connections = plan.connections(workload);
        List<Subject> subjects = second.speaks(workload) ? List.of(first, second) : List.of(first);
        List<Outcome> sums = new ArrayList<>();
        for (Subject subject : subjects) {
            subject.awaitIdle();
            sums.add(warmUp(subject, workload));
        }
        boolean failed = sums.stream().anyMatch(sum -> sum.errors() > 0);
        if (!failed) {
            sums.replaceAll(sum -> Outcome.none());
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < plan.rounds() && !failed; round++) {
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < subjects.size(); i++) {
                Outcome outcome = Round.run(subjects.get(i), workload, connections, pace(plan.mode()));
                outcomes.add(outcome);
                sums.set(i, sums.get(i).plus(outcome));
                failed |= outcome.errors() > 0;
            }
            Optional<Outcome> other = outcomes.stream().skip(1).findFirst();
            Comparison.ratio(outcomes.get(0), other).ifPresent(ratios::add);
        }
        List<Measured> measured = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            measured.add(Measured.of(subjects.get(i), workload, connections, plan.mode(), sums.get(i)));
        }
        return new Comparison(measured.get(0), measured.stream().skip(1).findFirst(), ratios);
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
