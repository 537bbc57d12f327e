package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metrics: every engine has those that mean the same on each of them. */
public abstract class TelemetryContract {
    private static final List<String> COMMON = List.of(
            "engine.commits.queued",
            "engine.reads.queued",
            "engine.reads.in.flight",
            "engine.scans.queued",
            "engine.scans.in.flight",
            "engine.collections.dropped");

    /** Returns the telemetry of an engine without requests. */
    protected abstract EngineTelemetry telemetry();

    @Test
    void an_engine_has_the_metrics_that_all_engines_have() {
        assertThat(telemetry().metrics()).extracting(Metric::name).containsAll(COMMON);
        assertThat(telemetry().metrics())
                .filteredOn(metric -> COMMON.contains(metric.name()))
                .hasSize(COMMON.size())
                .allSatisfy(metric -> {
                    assertThat(metric.kind()).isEqualTo(Metric.Kind.GAUGE);
                    assertThat(metric.labels()).isEmpty();
                    assertThat(metric.value().getAsDouble()).isZero();
                });
    }

    @Test
    void names_are_words_in_lower_case_joined_by_dots() {
        assertThat(telemetry().metrics()).extracting(Metric::name).allMatch(name -> name.matches("[a-z]+(\\.[a-z]+)+"));
    }

    @Test
    void no_two_metrics_have_the_same_name_and_labels() {
        assertThat(telemetry().metrics())
                .extracting(metric -> metric.name() + metric.labels())
                .doesNotHaveDuplicates();
    }
}
