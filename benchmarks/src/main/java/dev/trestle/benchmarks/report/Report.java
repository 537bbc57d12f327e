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
 * All that a run found; either measured or compared, and restarts where growth was asked for.
 *
 * @param sizes how many entities there were, one after the other
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

    /** The figures of every server. */
    Stream<Measured> all() {
        return Stream.concat(
                measured.stream(),
                comparisons.stream()
                        .flatMap(comparison ->
                                Stream.concat(Stream.of(comparison.first()), comparison.second().stream())));
    }

    /** What went wrong first, if anything; then nothing that was measured counts. */
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
