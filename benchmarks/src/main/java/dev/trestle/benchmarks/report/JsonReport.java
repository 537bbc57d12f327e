package dev.trestle.benchmarks.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.trestle.benchmarks.load.Comparison;
import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Outcome;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** A report as JSON. Figures that are not available are null. */
public final class JsonReport {
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9);

    private final Report report;
    private final JsonGenerator json;
    private final StringWriter text = new StringWriter();

    private JsonReport(Report report) throws IOException {
        this.report = report;
        this.json = new JsonFactory().createGenerator(text).setPrettyPrinter(new DefaultPrettyPrinter());
    }

    public static String of(Report report) {
        try {
            return new JsonReport(report).write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String write() throws IOException {
        json.writeStartObject();
        json.writeStringField("time", report.time().toString());
        json.writeBooleanField("void", report.voidBecause().isPresent());
        json.writeStringField("error", report.voidBecause().orElse(null));
        environment();
        servers();
        json.writeArrayFieldStart("results");
        for (Measured measured : report.all().toList()) {
            result(measured);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("ratios");
        for (Comparison comparison : report.comparisons()) {
            ratio(comparison);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("restarts");
        for (Restart restart : report.restarts()) {
            json.writeStartObject();
            json.writeNumberField("entities", restart.entities());
            json.writeNumberField(
                    "seconds_until_serving", restart.untilServing().toMillis() / 1e3);
            number("rss_bytes", restart.residentBytes());
            json.writeNumberField("folder_bytes", restart.folderBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.close();
        return text + System.lineSeparator();
    }

    private void environment() throws IOException {
        json.writeObjectFieldStart("environment");
        json.writeNumberField("cores", Runtime.getRuntime().availableProcessors());
        json.writeStringField("java", System.getProperty("java.vendor") + " " + Runtime.version());
        json.writeStringField(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        json.writeStringField("table", report.table());
        json.writeArrayFieldStart("entities");
        for (long size : report.sizes()) {
            json.writeNumber(size);
        }
        json.writeEndArray();
        json.writeStringField("mode", report.plan().mode().toString());
        json.writeNumberField("seconds", report.plan().duration().toMillis() / 1e3);
        json.writeNumberField("warmup_seconds", report.plan().warmUp().toMillis() / 1e3);
        if (!report.comparisons().isEmpty()) {
            json.writeNumberField("rounds", report.plan().rounds());
        }
        json.writeEndObject();
    }

    private void servers() throws IOException {
        json.writeArrayFieldStart("servers");
        for (Server server : report.servers()) {
            json.writeStartObject();
            json.writeStringField("name", server.name());
            json.writeStringField("url", server.url());
            json.writeStringField("software", server.software());
            json.writeStringField("process", server.process());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void result(Measured measured) throws IOException {
        Outcome outcome = measured.outcome();
        json.writeStartObject();
        json.writeStringField("workload", measured.workload().word());
        json.writeStringField("server", measured.target());
        json.writeNumberField("entities", measured.entities());
        json.writeNumberField("connections", measured.connections());
        json.writeStringField("loop", measured.mode() instanceof Mode.Closed ? "closed" : "open");
        number("intended_requests_per_second", intended(measured.mode()));
        json.writeNumberField("errors", outcome.errors());
        json.writeStringField("first_error", outcome.firstError().orElse(null));
        json.writeNumberField("requests", outcome.requests());
        json.writeNumberField("seconds", outcome.nanos() / 1e9);
        json.writeNumberField("requests_per_second", outcome.requestsPerSecond());
        json.writeObjectFieldStart("latency_us");
        for (double percentile : PERCENTILES) {
            json.writeNumberField(percentileName(percentile), outcome.latencyMicros(percentile));
        }
        json.writeNumberField("max", outcome.latencyMaxMicros());
        json.writeEndObject();
        number("server_cpu_us_per_request", outcome.cpuMicrosPerRequest());
        number("server_cpu_us_per_entity", measured.cpuMicrosPerEntity());
        json.writeNumberField("client_cpu_us_per_request", outcome.clientCpuMicrosPerRequest());
        number("rss_bytes", measured.residentBytes());
        number("rss_peak_bytes", measured.residentBytesPeak());
        json.writeEndObject();
    }

    private static String percentileName(double percentile) {
        return "p"
                + (percentile == Math.rint(percentile)
                        ? Long.toString((long) percentile)
                        : Double.toString(percentile));
    }

    private static OptionalDouble intended(Mode mode) {
        return mode instanceof Mode.Open open ? OptionalDouble.of(open.requestsPerSecond()) : OptionalDouble.empty();
    }

    private void ratio(Comparison comparison) throws IOException {
        json.writeStartObject();
        json.writeStringField("workload", comparison.workload().word());
        number("server_cpu", comparison.cpuRatio());
        json.writeArrayFieldStart("server_cpu_by_round");
        for (double ratio : comparison.roundRatios()) {
            json.writeNumber(ratio);
        }
        json.writeEndArray();
        number("requests_per_second", comparison.rateRatio());
        if (comparison.disk().isPresent()) {
            Histogram syncs = comparison.disk().get();
            json.writeObjectFieldStart("disk_sync_us");
            for (double percentile : PERCENTILES) {
                json.writeNumberField(percentileName(percentile), syncs.getValueAtPercentile(percentile) / 1e3);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private void number(String name, OptionalDouble value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.getAsDouble());
        } else {
            json.writeNullField(name);
        }
    }

    private void number(String name, OptionalLong value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.getAsLong());
        } else {
            json.writeNullField(name);
        }
    }
}
