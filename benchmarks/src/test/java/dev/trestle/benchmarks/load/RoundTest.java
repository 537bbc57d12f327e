package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.benchmarks.load.FakeServer.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RoundTest {
    private static final Response ENTITY = new Response(200, FakeServer.ENTITY);

    @Test
    void a_stall_is_counted_for_every_request_that_should_have_been_sent_meanwhile()
            throws IOException, InterruptedException {
        ManualTicker ticker = new ManualTicker();
        try (FakeServer server = new FakeServer((request, method, path) -> {
            if (request == 10) {
                ticker.advance(Duration.ofMillis(500));
            }
            return ENTITY;
        })) {
            Outcome outcome =
                    Round.run(server.subject(), Workload.POINT_READ, 1, Pace.open(Duration.ofSeconds(1), 100), ticker);
            assertThat(outcome.firstError()).isEmpty();
            assertThat(outcome.requests()).isEqualTo(100);
            long slow = outcome.latency()
                    .getCountBetweenValues(
                            Duration.ofMillis(100).toNanos(),
                            Duration.ofSeconds(10).toNanos());
            // Request 10 took 500 ms, and the next 40 were due in the 400 ms before the stall was nearly over.
            assertThat(slow).isEqualTo(41);
            assertThat(outcome.latencyMaxMicros()).isBetween(500_000.0, 500_500.0);
        }
    }

    /** Stands still between the events of a test. */
    private static final class ManualTicker implements Ticker {
        private final AtomicLong nanos = new AtomicLong();

        void advance(Duration time) {
            nanos.addAndGet(time.toNanos());
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public void waitUntil(long time) {
            nanos.accumulateAndGet(time, Math::max);
        }
    }

    @Test
    void a_closed_loop_counts_what_was_answered() throws IOException, InterruptedException {
        try (FakeServer server = new FakeServer((request, method, path) -> ENTITY)) {
            Outcome outcome = Round.run(server.subject(), Workload.POINT_READ, 3, Pace.closed(Duration.ofMillis(200)));
            assertThat(outcome.firstError()).isEmpty();
            assertThat(outcome.requests()).isPositive();
            assertThat(outcome.latencyMicros(50)).isPositive().isLessThanOrEqualTo(outcome.latencyMaxMicros());
            assertThat(outcome.requestsPerSecond()).isPositive();
        }
    }

    @Test
    void the_first_wrong_status_ends_a_round() throws IOException, InterruptedException {
        try (FakeServer server = new FakeServer((request, method, path) ->
                request < 5 ? ENTITY : new Response(503, "{\"odata.error\":{\"code\":\"ServerBusy\"}}"))) {
            Outcome outcome = Round.run(server.subject(), Workload.POINT_READ, 2, Pace.closed(Duration.ofSeconds(30)));
            assertThat(outcome.errors()).isBetween(1L, 2L);
            assertThat(outcome.requests()).isEqualTo(5);
            assertThat(outcome.firstError().orElseThrow())
                    .startsWith("GET /row/partition000000,row")
                    .endsWith(" got status 503 instead of 200, ServerBusy");
        }
    }

    @Test
    void an_answer_of_too_few_entities_is_an_error() throws IOException, InterruptedException {
        try (FakeServer server =
                new FakeServer((request, method, path) -> new Response(200, FakeServer.ENTITY.repeat(99)))) {
            Outcome outcome = Round.run(server.subject(), Workload.RANGE_100, 1, Pace.closed(Duration.ofSeconds(30)));
            assertThat(outcome.firstError().orElseThrow()).endsWith("got 99 instead of 100 entities");
        }
    }

    @Test
    void an_answer_of_too_few_bytes_is_an_error_where_entities_are_not_counted()
            throws IOException, InterruptedException {
        try (FakeServer server = new FakeServer((request, method, path) ->
                new Response(200, request == 0 ? FakeServer.ENTITY.repeat(100) : FakeServer.ENTITY))) {
            Outcome outcome = Round.run(server.subject(), Workload.RANGE_100, 1, Pace.closed(Duration.ofSeconds(30)));
            assertThat(outcome.firstError().orElseThrow()).contains("got only");
        }
    }

    @Test
    void a_server_that_is_not_there_is_an_error() throws IOException, InterruptedException {
        Subject gone;
        try (FakeServer server = new FakeServer((request, method, path) -> ENTITY)) {
            gone = server.subject();
        }
        Outcome outcome = Round.run(gone, Workload.POINT_READ, 1, Pace.closed(Duration.ofSeconds(30)));
        assertThat(outcome.errors()).isEqualTo(1);
        assertThat(outcome.firstError().orElseThrow()).startsWith("no connection to fake");
    }
}
