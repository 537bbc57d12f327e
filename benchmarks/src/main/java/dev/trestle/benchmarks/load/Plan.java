package dev.trestle.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is to be measured, and how.
 *
 * @param connections the same for every workload, or each its usual number
 * @param duration of each round that counts
 * @param warmUp before the first round of a workload that counts
 * @param rounds how many rounds count where two servers take turns
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
