package dev.trestle.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.testkit.ModelRanges;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RangeMetricsTest {
    private static final String COUNT_OF_A = "trestle_storage_server_ranges{server=\"a,1,1\"} 2.0";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ModelRanges ranges = new ModelRanges(
            range("1", Optional.of("a,1,1"), 100, 10, 20),
            range("2", Optional.of("a,1,1"), 50, 0, 0),
            range("3", Optional.of("b,1,1"), 7, 5, 5),
            range("4", Optional.empty(), 0, 0, 0));
    private long nanos;
    private final RangeMetrics metrics = new RangeMetrics(registry, ranges, () -> nanos, Duration.ofMillis(1));

    @AfterEach
    void close() {
        registry.close();
    }

    private static Range range(String id, Optional<String> server, long bytes, long reads, long writes) {
        return new Range(id, new byte[0], new byte[0], server, bytes, reads, writes);
    }

    private List<String> page() {
        metrics.refresh();
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith("trestle_storage"))
                .toList();
    }

    private List<String> pageAfter(Duration time) {
        nanos += time.toNanos();
        return page();
    }

    @Test
    void each_server_is_shown_with_what_it_holds() {
        assertThat(page())
                .containsExactlyInAnyOrder(
                        COUNT_OF_A,
                        "trestle_storage_server_ranges{server=\"b,1,1\"} 1.0",
                        "trestle_storage_server_bytes{server=\"a,1,1\"} 150.0",
                        "trestle_storage_server_bytes{server=\"b,1,1\"} 7.0",
                        "trestle_storage_ranges_unserved 1.0");
    }

    @Test
    void rates_are_told_from_the_second_look_on() {
        page();
        ranges.set(
                range("1", Optional.of("a,1,1"), 100, 110, 20),
                range("2", Optional.of("a,1,1"), 50, 50, 30),
                range("3", Optional.of("b,1,1"), 7, 5, 5));
        assertThat(pageAfter(Duration.ofSeconds(10)))
                .contains(
                        "trestle_storage_server_requests_per_second{kind=\"read\",server=\"a,1,1\"} 15.0",
                        "trestle_storage_server_requests_per_second{kind=\"write\",server=\"a,1,1\"} 3.0",
                        "trestle_storage_server_requests_per_second{kind=\"read\",server=\"b,1,1\"} 0.0");
    }

    @Test
    void a_range_that_moved_or_began_to_count_anew_makes_no_rate() {
        page();
        ranges.set(range("1", Optional.of("b,1,1"), 100, 500, 500), range("3", Optional.of("b,1,1"), 7, 1, 1));
        assertThat(pageAfter(Duration.ofSeconds(10)))
                .contains(
                        "trestle_storage_server_requests_per_second{kind=\"read\",server=\"b,1,1\"} 0.0",
                        "trestle_storage_server_requests_per_second{kind=\"write\",server=\"b,1,1\"} 0.0");
    }

    @Test
    void a_server_that_went_away_is_not_shown_any_more() {
        page();
        ranges.set(range("1", Optional.of("b,1,1"), 100, 0, 0));
        assertThat(pageAfter(Duration.ofSeconds(10))).noneMatch(line -> line.contains("a,1,1"));
    }

    @Test
    void the_cluster_is_asked_once_in_some_seconds() {
        for (int i = 0; i < 30; i++) {
            assertThat(pageAfter(Duration.ofSeconds(1))).contains(COUNT_OF_A);
        }
        assertThat(ranges.looks()).isEqualTo(3);
    }

    @Test
    void a_cluster_that_is_slow_is_shown_as_it_was_and_then_not_at_all_and_again_when_it_answers() {
        page();
        CompletableFuture<Void> slow = new CompletableFuture<>();
        ranges.answerAfter(slow);
        assertThat(pageAfter(Duration.ofSeconds(30))).contains(COUNT_OF_A);
        assertThat(pageAfter(Duration.ofSeconds(31))).isEmpty();
        assertThat(pageAfter(Duration.ofSeconds(30))).isEmpty();
        assertThat(ranges.looks())
                .as("one look is under way, and no other begun")
                .isEqualTo(2);
        slow.complete(null);
        assertThat(page()).contains(COUNT_OF_A);
    }

    @Test
    void a_cluster_that_refuses_to_answer_is_left_out() {
        page();
        ranges.answerAfter(CompletableFuture.failedFuture(new IllegalStateException("gone")));
        assertThat(pageAfter(Duration.ofSeconds(10))).isEmpty();
        ranges.answerAfter(CompletableFuture.completedFuture(null));
        assertThat(page()).contains(COUNT_OF_A);
    }
}
