package dev.trestle.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * The workloads to measure, and how.
 *
 * @param connections for every workload, or each workload's default if empty
 * @param duration of each counted round
 * @param warmUp before the first counted round of a workload
 * @param rounds the number of counted rounds when two servers are compared
 */
public record Plan(
        List<Workload> workloads, OptionalInt connections, Duration duration, Duration warmUp, Mode mode, int rounds) {
    public Plan {
        workloads = List.copyOf(workloads);
    }

    int connections(Workload workload) {
        return connections.orElse(workload.usualConnections());
    }
}
