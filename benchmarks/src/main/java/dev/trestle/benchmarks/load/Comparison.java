package dev.trestle.benchmarks.load;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * The figures of a workload on two servers that were measured in turns.
 *
 * @param second empty if the other server does not implement the workload
 * @param roundRatios the ratio of CPU time per request, first to second, of each round
 * @param disk how long the disk alone takes to sync a log at the same rate of writes, in nanoseconds; empty in a closed
 *     loop and where nothing is written
 */
public record Comparison(
        Measured first, Optional<Measured> second, List<Double> roundRatios, Optional<Histogram> disk) {
    public Comparison {
        roundRatios = List.copyOf(roundRatios);
    }

    public Workload workload() {
        return first.workload();
    }

    /** Whether a server returned an error, so that the figures do not count. */
    public boolean isVoid() {
        return first.outcome().errors() > 0
                || second.map(measured -> measured.outcome().errors() > 0).orElse(false);
    }

    /** Returns the ratio of CPU time per request, first to second. */
    public OptionalDouble cpuRatio() {
        return ratio(first.outcome(), second.map(Measured::outcome));
    }

    /** Returns the ratio of throughput, first to second. */
    public OptionalDouble rateRatio() {
        return second.isPresent() && second.get().outcome().requests() > 0
                ? OptionalDouble.of(first.outcome().requestsPerSecond()
                        / second.get().outcome().requestsPerSecond())
                : OptionalDouble.empty();
    }

    static OptionalDouble ratio(Outcome first, Optional<Outcome> second) {
        OptionalDouble mine = first.cpuMicrosPerRequest();
        OptionalDouble other = second.map(Outcome::cpuMicrosPerRequest).orElse(OptionalDouble.empty());
        return mine.isPresent() && other.isPresent() && other.getAsDouble() > 0
                ? OptionalDouble.of(mine.getAsDouble() / other.getAsDouble())
                : OptionalDouble.empty();
    }
}
