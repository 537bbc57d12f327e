package dev.trestle.benchmarks.load;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A workload's figures on one server.
 *
 * @param mode the pace as it really was
 * @param residentBytes the server's memory after it, where it can be seen
 * @param residentBytesPeak the most it had since it was started
 */
public record Measured(
        String target,
        Workload workload,
        long entities,
        int connections,
        Mode mode,
        Outcome outcome,
        OptionalLong residentBytes,
        OptionalLong residentBytesPeak) {
    static Measured of(Subject subject, Workload workload, int connections, Mode mode, Outcome outcome) {
        return new Measured(
                subject.target().name(),
                workload,
                subject.size(workload),
                connections,
                mode,
                outcome,
                subject.process().map(WatchedProcess::residentBytes).orElse(OptionalLong.empty()),
                subject.process().map(WatchedProcess::residentBytesPeak).orElse(OptionalLong.empty()));
    }

    /** Server time for each of the entities that share a request's cost, where there are several. */
    public OptionalDouble cpuMicrosPerEntity() {
        OptionalDouble cpu = outcome.cpuMicrosPerRequest();
        return cpu.isPresent() && workload.sharers() > 1
                ? OptionalDouble.of(cpu.getAsDouble() / workload.sharers())
                : OptionalDouble.empty();
    }
}
