package dev.trestle.benchmarks.load;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * The result of one or more rounds.
 *
 * @param latency in nanoseconds
 * @param cpuMicros CPU time of the server's process, if it is visible
 * @param errors at most one for each connection, because the first error ends a round; with any error the result is void
 */
public record Outcome(
        long requests,
        long nanos,
        Histogram latency,
        OptionalLong cpuMicros,
        long clientCpuMicros,
        long errors,
        Optional<String> firstError) {

    static Outcome none() {
        return new Outcome(0, 0, Round.newHistogram(), OptionalLong.of(0), 0, 0, Optional.empty());
    }

    Outcome plus(Outcome other) {
        Histogram both = latency.copy();
        both.add(other.latency);
        return new Outcome(
                requests + other.requests,
                nanos + other.nanos,
                both,
                cpuMicros.isPresent() && other.cpuMicros.isPresent()
                        ? OptionalLong.of(cpuMicros.getAsLong() + other.cpuMicros.getAsLong())
                        : OptionalLong.empty(),
                clientCpuMicros + other.clientCpuMicros,
                errors + other.errors,
                firstError.or(other::firstError));
    }

    public double requestsPerSecond() {
        return nanos == 0 ? 0 : requests / (nanos / 1e9);
    }

    /** Returns the server's CPU time per request. */
    public OptionalDouble cpuMicrosPerRequest() {
        return cpuMicros.isPresent() && requests > 0
                ? OptionalDouble.of((double) cpuMicros.getAsLong() / requests)
                : OptionalDouble.empty();
    }

    /** Returns the client's CPU time per request. */
    public double clientCpuMicrosPerRequest() {
        return requests == 0 ? 0 : (double) clientCpuMicros / requests;
    }

    public double latencyMicros(double percentile) {
        return latency.getValueAtPercentile(percentile) / 1e3;
    }

    public double latencyMaxMicros() {
        return latency.getMaxValue() / 1e3;
    }
}
