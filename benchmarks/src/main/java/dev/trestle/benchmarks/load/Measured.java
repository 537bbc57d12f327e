package dev.trestle.benchmarks.load;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The figures of a workload on one server.
 *
 * @param mode the actual mode, after calibration
 * @param residentBytes the server's resident memory after the workload, if it is visible
 * @param residentBytesPeak the server's peak resident memory since its start
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

    /** Returns the server's CPU time per entity, if several share the cost of a request. */
    public OptionalDouble cpuMicrosPerEntity() {
        OptionalDouble cpu = outcome.cpuMicrosPerRequest();
        return cpu.isPresent() && workload.sharers() > 1
                ? OptionalDouble.of(cpu.getAsDouble() / workload.sharers())
                : OptionalDouble.empty();
    }
}
