package dev.trestle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.benchmarks.load.Measured;
import dev.trestle.benchmarks.load.Mode;
import dev.trestle.benchmarks.load.Outcome;
import dev.trestle.benchmarks.load.Plan;
import dev.trestle.benchmarks.load.Workload;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class GrowthPlotTest {
    private static Measured measured(Workload workload, long entities, OptionalLong cpuMicros) {
        Outcome outcome = new Outcome(1000, 1, new Histogram(3), cpuMicros, 0, 0, Optional.empty());
        return new Measured(
                "own", workload, entities, 1, new Mode.Closed(), outcome, OptionalLong.empty(), OptionalLong.empty());
    }

    private static Document plot(List<Measured> measured) throws Exception {
        Plan plan = new Plan(
                List.of(Workload.values()),
                OptionalInt.empty(),
                Duration.ofSeconds(1),
                Duration.ZERO,
                new Mode.Closed(),
                1);
        String svg = GrowthPlot.of(
                new Report(Instant.EPOCH, plan, "bench", List.of(1000L), List.of(), measured, List.of(), List.of()));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void every_workload_has_a_chart_with_a_point_for_each_size() throws Exception {
        List<Measured> all = new ArrayList<>();
        for (long entities : new long[] {10_000, 1_000_000, 10_000_000}) {
            for (Workload workload : Workload.values()) {
                all.add(measured(workload, entities, OptionalLong.of(12_340 + entities)));
            }
        }
        Document document = plot(all);
        int workloads = Workload.values().length;
        assertThat(document.getElementsByTagName("g").getLength()).isEqualTo(workloads);
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(3 * workloads);
        assertThat(document.getDocumentElement().getTextContent())
                .contains("point-read", "upsert-merge", "10 k", "1 M", "10 M", "22.3", "1,012", "10,012");
    }

    @Test
    void one_size_and_figures_that_are_missing_can_be_drawn() throws Exception {
        Document document = plot(List.of(
                measured(Workload.INSERT, 2500, OptionalLong.of(5000)),
                measured(Workload.MIXED, 2500, OptionalLong.empty())));
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(1);
        assertThat(document.getDocumentElement().getTextContent())
                .contains("insert", "2.5 k", "5.0")
                .doesNotContain("mixed");
        assertThat(plot(List.of()).getElementsByTagName("g").getLength()).isZero();
    }
}
