package dev.trestle.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.CommitObserver;
import dev.trestle.engine.EngineTelemetry;
import dev.trestle.engine.Metric;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.model.StorageError;
import dev.trestle.server.pipeline.Operations;
import dev.trestle.testkit.ModelRanges;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The metrics page in the Prometheus format. */
class MetricsTest {
    private final Metrics metrics = new Metrics(
            Map.of(Service.TABLE, Operations.of(Service.TABLE), Service.QUEUE, Operations.of(Service.QUEUE)),
            OptionalLong.of(1L << 30));

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void requests_are_counted_by_operation_status_and_error() {
        for (int i = 0; i < 3; i++) {
            metrics.requests().finished(Summaries.insert(201, Optional.empty()));
        }
        metrics.requests().finished(Summaries.insert(204, Optional.empty()));
        metrics.requests().finished(Summaries.insert(409, Optional.of(StorageError.ENTITY_ALREADY_EXISTS)));
        metrics.requests().finished(Summaries.insert(202, Optional.of(StorageError.ENTITY_ALREADY_EXISTS)));
        metrics.requests().finished(Summaries.insert(499, Optional.empty()));

        assertThat(metrics.text().lines())
                .contains(
                        "trestle_requests_total{error=\"\",operation=\"InsertEntity\",service=\"table\",status=\"201\"} 3.0",
                        "trestle_requests_total{error=\"\",operation=\"InsertEntity\",service=\"table\",status=\"204\"} 1.0",
                        "trestle_requests_total{error=\"EntityAlreadyExists\",operation=\"InsertEntity\",service=\"table\",status=\"409\"} 1.0",
                        "trestle_requests_total{error=\"EntityAlreadyExists\",operation=\"InsertEntity\",service=\"table\",status=\"202\"} 1.0",
                        "trestle_requests_total{error=\"\",operation=\"InsertEntity\",service=\"table\",status=\"499\"} 1.0",
                        "trestle_request_body_bytes_total 119.0",
                        "trestle_response_body_bytes_total 1610.0");
    }

    @Test
    void latencies_are_a_histogram_by_operation() {
        metrics.requests().finished(Summaries.insert(201, Optional.empty()));

        assertThat(metrics.text().lines())
                .contains(
                        "trestle_request_duration_seconds_bucket{operation=\"InsertEntity\",service=\"table\",le=\"0.001\"} 0",
                        "trestle_request_duration_seconds_bucket{operation=\"InsertEntity\",service=\"table\",le=\"0.0025\"} 1",
                        "trestle_request_duration_seconds_bucket{operation=\"InsertEntity\",service=\"table\",le=\"+Inf\"} 1",
                        "trestle_request_duration_seconds_count{operation=\"InsertEntity\",service=\"table\"} 1",
                        "trestle_request_duration_seconds_count{operation=\"QueryEntities\",service=\"table\"} 0");
    }

    @Test
    void queries_are_counted_by_plan_with_the_rows_they_cost() {
        metrics.requests().finished(Summaries.query(""));
        metrics.requests().finished(Summaries.query(""));

        assertThat(metrics.text().lines())
                .contains(
                        "trestle_query_plans_total{plan=\"partition scan\"} 2.0",
                        "trestle_query_rows_examined_total{plan=\"partition scan\"} 60.0",
                        "trestle_query_rows_returned_total{plan=\"partition scan\"} 6.0",
                        "trestle_query_plans_total{plan=\"table scan\"} 0.0");
    }

    @Test
    void an_engine_shows_its_figures_and_its_groups() {
        Telemetry engine = new Telemetry();
        metrics.watch(engine);
        engine.observer.groupWritten(3, 7, 1000, 300_000);

        assertThat(metrics.text().lines())
                .contains(
                        "trestle_some_level_bytes 5.0",
                        "trestle_some_things_total{kind=\"odd\"} 6.0",
                        "trestle_commit_group_size_bucket{le=\"2.0\"} 0",
                        "trestle_commit_group_size_bucket{le=\"4.0\"} 1",
                        "trestle_commit_rows_total 7.0",
                        "trestle_commit_written_bytes_total 1000.0",
                        "trestle_commit_write_seconds_bucket{le=\"2.5E-4\"} 0",
                        "trestle_commit_write_seconds_bucket{le=\"5.0E-4\"} 1");
    }

    @Test
    void the_servers_of_a_cluster_are_shown() {
        metrics.watch(new ModelRanges(
                new PartitionRanges.Range("only", new byte[0], new byte[0], Optional.of("host,16020,1"), 42, 0, 0)));
        assertThat(metrics.text().lines())
                .contains(
                        "trestle_storage_server_ranges{server=\"host,16020,1\"} 1.0",
                        "trestle_storage_server_bytes{server=\"host,16020,1\"} 42.0");
    }

    @Test
    void the_process_is_shown() {
        assertThat(metrics.text())
                .contains("jvm_memory_used_bytes{", "jvm_threads_live_threads ", "process_cpu_usage ")
                .contains("process_resident_memory_bytes ");
        assertThat(ResidentMemory.parse(List.of("VmPeak:\t  100 kB", "VmRSS:\t  2048 kB")))
                .isEqualTo(2048 * 1024);
        assertThat(ResidentMemory.parse(List.of())).isNaN();
    }

    private static final class Telemetry implements EngineTelemetry {
        private CommitObserver observer = CommitObserver.NONE;

        @Override
        public List<Metric> metrics() {
            return List.of(
                    Metric.gauge("some.level.bytes", "A level.", () -> 5),
                    Metric.counter("some.things", "A total.", () -> 6).with("kind", "odd"));
        }

        @Override
        public void observe(CommitObserver next) {
            observer = next;
        }
    }
}
