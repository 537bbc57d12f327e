package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.Comparison;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Measurement;
import dev.trestle.benchmarks.report.JsonReport;
import dev.trestle.benchmarks.report.Report;
import dev.trestle.benchmarks.report.Restart;
import dev.trestle.benchmarks.report.Server;
import dev.trestle.benchmarks.report.TextReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A run of {@code trestle bench}: servers, data, load, report. */
public final class Bench {
    private final BenchConfig config;
    private final PrintStream out;
    private final PrintStream err;

    /** Creates a run that prints its report to {@code out} and its progress to {@code err}. */
    public Bench(BenchConfig config, PrintStream out, PrintStream err) {
        this.config = config;
        this.out = out;
        this.err = err;
    }

    /**
     * Measures and reports.
     *
     * @return whether the figures count, because no request failed
     * @throws IOException with a message for the user, if nothing could be measured
     */
    public boolean run() throws IOException, InterruptedException {
        if (config.stream().isPresent()) {
            return stream(config.stream().getAsLong());
        }
        Report report;
        try (Servers servers = new Servers(config, err)) {
            report = !config.growth().isEmpty()
                    ? growth(servers)
                    : config.compare().isPresent() ? comparison(servers) : measurement(servers);
        }
        write(report);
        return report.voidBecause().isEmpty();
    }

    private boolean stream(long bytes) throws IOException, InterruptedException {
        try (Servers servers = new Servers(config, err)) {
            Streams streams = new Streams(
                    servers.blobEndpoint(),
                    bytes,
                    config.plan().rounds(),
                    servers.workspace().folder("files"),
                    err);
            streams.run().forEach(out::println);
            out.flush();
            return true;
        }
    }

    private Report measurement(Servers servers) throws IOException, InterruptedException {
        Servers.Side side = servers.side(config.endpoint(), DataSet.of(config.entities(), config.workingSet()));
        List<Measured> measured = new Measurement(config.plan(), Optional.empty())
                .measureAll(side.subject(), workload -> err.println("Measuring " + workload.word()));
        return report(List.of(config.size()), List.of(side.server()), measured, List.of(), List.of());
    }

    private Report comparison(Servers servers) throws IOException, InterruptedException {
        DataSet data = DataSet.of(config.entities(), config.workingSet());
        Servers.Side first = servers.side(config.endpoint(), data);
        Servers.Side second = servers.side(config.compare().orElseThrow(), data);
        List<Comparison> compared = new Measurement(config.plan(), servers.disk())
                .compareAll(first.subject(), second.subject(), workload -> err.println("Comparing " + workload.word()));
        return report(List.of(config.size()), List.of(first.server(), second.server()), List.of(), compared, List.of());
    }

    private Report growth(Servers servers) throws IOException, InterruptedException {
        Growth growth = new Growth(config, servers, err);
        growth.run();
        return report(config.growth(), growth.servers(), growth.measured(), List.of(), growth.restarts());
    }

    private Report report(
            List<Long> sizes,
            List<Server> servers,
            List<Measured> measured,
            List<Comparison> comparisons,
            List<Restart> restarts) {
        return new Report(
                Instant.now(), config.plan(), config.table(), sizes, servers, measured, comparisons, restarts);
    }

    private void write(Report report) throws IOException {
        if (config.jsonOnly()) {
            out.print(JsonReport.of(report));
        } else {
            new TextReport(report).lines().forEach(out::println);
            if (config.json().isPresent()) {
                Files.writeString(Path.of(config.json().get()), JsonReport.of(report));
            }
        }
        out.flush();
    }
}
