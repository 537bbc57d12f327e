package dev.trestle.benchmarks.load;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * A workload's figures on two servers that took turns.
 *
 * @param second empty where the other server has nothing that does the same work
 * @param roundRatios of the server time for a request, first to second, one for each round
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

    /** Whether a server gave an error, so that nothing counts. */
    public boolean isVoid() {
        return first.outcome().errors() > 0
                || second.map(measured -> measured.outcome().errors() > 0).orElse(false);
    }

    /** Server time for a request, first to second. */
    public OptionalDouble cpuRatio() {
        return ratio(first.outcome(), second.map(Measured::outcome));
    }

    /** Requests a second, first to second. */
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
