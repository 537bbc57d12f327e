package dev.trestle.benchmarks;

import dev.trestle.benchmarks.load.Comparison;
import dev.trestle.benchmarks.load.DataSet;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Measurement;
import dev.trestle.benchmarks.load.Subject;
import dev.trestle.benchmarks.load.Workload;
import dev.trestle.benchmarks.report.GrowthPlot;
import dev.trestle.benchmarks.report.JsonReport;
import dev.trestle.benchmarks.report.Report;
import dev.trestle.benchmarks.report.Restart;
import dev.trestle.benchmarks.report.TextReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A run of {@code trestle bench}: servers, data, load, report. */
public final class Bench {
    private final BenchConfig config;
    private final PrintStream out;
    private final PrintStream err;

    /** A run that prints what it found to the first stream and its progress to the second. */
    public Bench(BenchConfig config, PrintStream out, PrintStream err) {
        this.config = config;
        this.out = out;
        this.err = err;
    }

    /**
     * Measures and reports.
     *
     * @return whether the figures count: there was no error
     * @throws IOException with a sentence, when nothing could be measured
     */
    public boolean run() throws IOException, InterruptedException {
        Report report;
        try (Servers servers = new Servers(config, err)) {
            if (!config.growth().isEmpty()) {
                Growth growth = new Growth(config, servers, err);
                growth.run();
                report = report(servers, growth.measured(), List.of(), growth.restarts());
            } else if (config.compare().isPresent()) {
                report = report(servers, List.of(), compared(servers), List.of());
            } else {
                report = report(servers, measured(servers), List.of(), List.of());
            }
        }
        write(report);
        return report.voidBecause().isEmpty();
    }

    private List<Measured> measured(Servers servers) throws IOException, InterruptedException {
        Subject subject = servers.subject(config.endpoint(), DataSet.of(config.entities()));
        Measurement measurement = new Measurement(config.plan());
        List<Measured> all = new ArrayList<>();
        for (Workload workload : config.plan().workloads()) {
            err.println("Measuring " + workload.word());
            Measured measured = measurement.measure(subject, workload);
            all.add(measured);
            if (measured.outcome().errors() > 0) {
                break;
            }
        }
        return all;
    }

    private List<Comparison> compared(Servers servers) throws IOException, InterruptedException {
        DataSet data = DataSet.of(config.entities());
        Subject first = servers.subject(config.endpoint(), data);
        Subject second = servers.subject(config.compare().orElseThrow(), data);
        Measurement measurement = new Measurement(config.plan());
        List<Comparison> all = new ArrayList<>();
        for (Workload workload : config.plan().workloads()) {
            err.println("Comparing " + workload.word());
            Comparison comparison = measurement.compare(first, second, workload);
            all.add(comparison);
            if (comparison.isVoid()) {
                break;
            }
        }
        return all;
    }

    private Report report(
            Servers servers, List<Measured> measured, List<Comparison> comparisons, List<Restart> restarts) {
        return new Report(
                Instant.now(),
                config.plan(),
                config.table(),
                config.growth().stream().findFirst().orElse(config.entities()),
                servers.known(),
                measured,
                comparisons,
                restarts);
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
        if (config.svg().isPresent()) {
            Files.writeString(config.svg().get(), GrowthPlot.of(report));
        }
        out.flush();
    }
}
