package dev.trestle.benchmarks.report;

import dev.trestle.benchmarks.load.Comparison;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Outcome;
import dev.trestle.benchmarks.load.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The results of a run: measured or compared workloads, and restarts if growth was measured.
 *
 * @param sizes the numbers of entities, in order
 */
public record Report(
        Instant time,
        Plan plan,
        String table,
        List<Long> sizes,
        List<Server> servers,
        List<Measured> measured,
        List<Comparison> comparisons,
        List<Restart> restarts) {
    public Report {
        sizes = List.copyOf(sizes);
        servers = List.copyOf(servers);
        measured = List.copyOf(measured);
        comparisons = List.copyOf(comparisons);
        restarts = List.copyOf(restarts);
    }

    /** Returns the figures of all servers. */
    Stream<Measured> all() {
        return Stream.concat(
                measured.stream(),
                comparisons.stream()
                        .flatMap(comparison ->
                                Stream.concat(Stream.of(comparison.first()), comparison.second().stream())));
    }

    /** Returns the first error, which makes the whole run void. */
    public Optional<String> voidBecause() {
        return all().flatMap(
                        one -> one
                                .outcome()
                                .firstError()
                                .map(why -> one.workload().word() + " on " + one.target() + ": " + why)
                                .stream())
                .findFirst();
    }

    static boolean isVoid(Outcome outcome) {
        return outcome.errors() > 0;
    }
}
