package dev.trestle.benchmarks.report;

import dev.trestle.benchmarks.load.Comparison;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Outcome;
import dev.trestle.benchmarks.load.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** A report as text tables. Figures that are not available are a dash. */
public final class TextReport {
    private static final String UNKNOWN = "-";
    private static final String VOID = "VOID";

    private final Report report;

    public TextReport(Report report) {
        this.report = report;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>(head());
        lines.add("");
        if (!report.measured().isEmpty()) {
            lines.addAll(measured());
        }
        if (!report.comparisons().isEmpty()) {
            lines.addAll(compared());
        }
        if (!report.restarts().isEmpty()) {
            lines.add("");
            lines.addAll(restarts());
        }
        report.voidBecause().ifPresent(why -> {
            lines.add("");
            lines.add("VOID: " + why + ".");
        });
        return lines;
    }

    private List<String> head() {
        List<String> lines = new ArrayList<>();
        for (Server server : report.servers()) {
            String software = server.software().isEmpty() ? "" : ", " + server.software();
            String process = server.process().isEmpty() ? ", process not seen" : ", " + server.process();
            String name = server.name().equals(server.url()) ? "" : server.name() + ": ";
            lines.add("Server   " + name + server.url() + software + process);
        }
        String sizes = report.sizes().stream().map(TextReport::whole).collect(Collectors.joining(" then "));
        boolean blobsOnly = report.plan().workloads().stream().allMatch(Workload::isOfBlobs);
        lines.add("Data     " + sizes
                + (blobsOnly
                        ? " blobs of 4 KiB, container " + report.table().toLowerCase(Locale.ROOT)
                        : " entities in partitions of 1,000, table " + report.table()));
        lines.add("Load     " + report.plan().mode() + ", " + turns());
        return lines;
    }

    private String turns() {
        String seconds = seconds(report.plan().duration().toMillis());
        String warmUp = " after a warm-up of " + seconds(report.plan().warmUp().toMillis());
        return report.comparisons().isEmpty()
                ? seconds + " each" + warmUp
                : report.plan().rounds() + " rounds of " + seconds + " each, in turns," + warmUp;
    }

    private static String seconds(long millis) {
        return (millis % 1000 == 0 ? Long.toString(millis / 1000) : Double.toString(millis / 1000.0)) + " s";
    }

    private List<String> measured() {
        TextTable table = new TextTable(
                "workload",
                "of",
                "conns",
                "requests/s",
                "p50 ms",
                "p99 ms",
                "p99.9 ms",
                "errors",
                "CPU us/request",
                "us/entity",
                "client us",
                "RSS MB");
        for (Measured one : report.measured()) {
            Outcome outcome = one.outcome();
            table.row(
                    one.workload().word(),
                    whole(one.entities()),
                    Integer.toString(one.connections()),
                    rate(outcome),
                    millis(outcome, 50),
                    millis(outcome, 99),
                    millis(outcome, 99.9),
                    Long.toString(outcome.errors()),
                    cpu(outcome),
                    number("%.2f", one.cpuMicrosPerEntity()),
                    number("%.1f", OptionalDouble.of(outcome.clientCpuMicrosPerRequest())),
                    megabytes(one.residentBytes()));
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add(
                "CPU is the CPU time of the server, client that of this command. us/entity is the CPU time per entity");
        lines.add("written or returned; for partition-scan, per entity that was examined and rejected.");
        return lines;
    }

    private List<String> compared() {
        String first = report.servers().get(0).name();
        String second = report.servers().get(1).name();
        TextTable table = new TextTable(
                "workload",
                "conns",
                "1: requests/s",
                "2: requests/s",
                "1: p99 ms",
                "2: p99 ms",
                "1: CPU us",
                "2: CPU us",
                "CPU ratio",
                "of rounds",
                "1: us/entity",
                "2: us/entity");
        for (Comparison one : report.comparisons()) {
            Outcome mine = one.first().outcome();
            Optional<Outcome> other = one.second().map(Measured::outcome);
            table.row(
                    one.workload().word(),
                    Integer.toString(one.first().connections()),
                    rate(mine),
                    other.map(TextReport::rate).orElse(UNKNOWN),
                    millis(mine, 99),
                    millis(other, 99),
                    cpu(mine),
                    other.map(TextReport::cpu).orElse(UNKNOWN),
                    number("%.2f", one.cpuRatio()),
                    spread(one.roundRatios()),
                    number("%.2f", one.first().cpuMicrosPerEntity()),
                    number(
                            "%.2f",
                            one.second().map(Measured::cpuMicrosPerEntity).orElse(OptionalDouble.empty())));
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add(
                "1 is " + first + ", 2 is " + second + ". CPU is the server's CPU time per request, CPU ratio that of");
        lines.add(
                "1 to that of 2, over all rounds and the minimum and maximum of single rounds. us/entity is the CPU time per entity");
        lines.add("written or returned; for partition-scan, per entity that was examined and rejected.");
        if (!(report.plan().mode() instanceof Mode.Closed)) {
            lines.add("");
            lines.addAll(latencies());
        }
        return lines;
    }

    /** Returns latency percentiles of two servers at the same rate and, for writes, of the disk alone. */
    private List<String> latencies() {
        TextTable table = new TextTable(
                "latency ms",
                "intended/s",
                "1: p50",
                "2: p50",
                "1: p99",
                "2: p99",
                "1: p99.9",
                "2: p99.9",
                "disk p50",
                "disk p99",
                "disk p99.9");
        for (Comparison one : report.comparisons()) {
            Outcome mine = one.first().outcome();
            Optional<Outcome> other = one.second().map(Measured::outcome);
            table.row(
                    one.workload().word(),
                    one.first().mode() instanceof Mode.Open open
                            ? whole(Math.round(open.requestsPerSecond()))
                            : UNKNOWN,
                    millis(mine, 50),
                    millis(other, 50),
                    millis(mine, 99),
                    millis(other, 99),
                    millis(mine, 99.9),
                    millis(other, 99.9),
                    sync(one, 50),
                    sync(one, 99),
                    sync(one, 99.9));
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.add(
                "Both servers get the same rate. disk is the time of an fsync without a server: of a log file on the same disk,");
        lines.add("to which the same number of entities per second is appended.");
        return lines;
    }

    private static String sync(Comparison comparison, double percentile) {
        return comparison
                .disk()
                .map(syncs -> String.format(Locale.ROOT, "%.2f", syncs.getValueAtPercentile(percentile) / 1e6))
                .orElse(UNKNOWN);
    }

    private List<String> restarts() {
        TextTable table = new TextTable("started again on", "until serving s", "RSS MB", "folder MB");
        for (Restart restart : report.restarts()) {
            table.row(
                    whole(restart.entities()),
                    String.format(Locale.ROOT, "%.2f", restart.untilServing().toMillis() / 1e3),
                    megabytes(restart.residentBytes()),
                    megabytes(OptionalLong.of(restart.folderBytes())));
        }
        return table.lines();
    }

    private static String rate(Outcome outcome) {
        return Report.isVoid(outcome) ? VOID : String.format(Locale.ROOT, "%,.0f", outcome.requestsPerSecond());
    }

    private static String cpu(Outcome outcome) {
        return Report.isVoid(outcome) ? VOID : number("%,.1f", outcome.cpuMicrosPerRequest());
    }

    private static String millis(Outcome outcome, double percentile) {
        return Report.isVoid(outcome)
                ? VOID
                : String.format(Locale.ROOT, "%.2f", outcome.latencyMicros(percentile) / 1e3);
    }

    private static String millis(Optional<Outcome> outcome, double percentile) {
        return outcome.map(one -> millis(one, percentile)).orElse(UNKNOWN);
    }

    private static String spread(List<Double> ratios) {
        return ratios.isEmpty()
                ? UNKNOWN
                : String.format(Locale.ROOT, "%.2f-%.2f", Collections.min(ratios), Collections.max(ratios));
    }

    private static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    @SuppressWarnings("AnnotateFormatMethod") // The formats are texts of this class.
    private static String number(String format, OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : UNKNOWN;
    }

    private static String megabytes(OptionalLong bytes) {
        return bytes.isPresent() ? whole(bytes.getAsLong() >> 20) : UNKNOWN;
    }
}
