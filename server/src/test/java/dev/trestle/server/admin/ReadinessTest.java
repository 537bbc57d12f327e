package dev.trestle.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.EngineException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final Duration patience = Duration.ofMinutes(1);
    private long nanos;
    private int writes;
    private CompletableFuture<Void> next = CompletableFuture.completedFuture(null);

    @Test
    void it_is_ready_when_a_write_is_done() throws Exception {
        assertThat(check(readiness(patience))).isEmpty();
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void it_writes_once_a_second_at_most_and_sees_trouble_come_and_go() throws Exception {
        Readiness readiness = readiness(patience);
        check(readiness);
        next = CompletableFuture.failedFuture(
                new EngineException(EngineException.Kind.UNAVAILABLE, "/secret/path is full"));

        assertThat(check(readiness)).as("known for a second").isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(check(readiness)).contains("The storage takes no writes.");
        next = CompletableFuture.completedFuture(null);
        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(check(readiness)).isEmpty();
        assertThat(writes).isEqualTo(3);
    }

    @Test
    void those_who_ask_while_a_write_is_under_way_wait_for_the_same() throws Exception {
        next = new CompletableFuture<>();
        Readiness readiness = readiness(patience);
        CompletionStage<Optional<String>> first = readiness.check();
        nanos += TimeUnit.SECONDS.toNanos(10);
        CompletionStage<Optional<String>> second = readiness.check();

        next.complete(null);

        assertThat(first.toCompletableFuture().get()).isEmpty();
        assertThat(second.toCompletableFuture().get()).isEmpty();
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void a_write_that_takes_too_long_means_not_ready() throws Exception {
        next = new CompletableFuture<>();

        assertThat(check(readiness(Duration.ofMillis(1)))).contains("A write was not done within 1 ms.");
    }

    @Test
    void overload_and_faults_mean_not_ready() throws Exception {
        next = CompletableFuture.failedFuture(new EngineException(EngineException.Kind.OVERLOADED, "full"));
        assertThat(check(readiness(patience))).contains("Too many writes wait.");
        next = CompletableFuture.failedFuture(new EngineException(EngineException.Kind.FULL, "/secret/path is full"));
        assertThat(check(readiness(patience)))
                .contains("The disk is full. Reads continue, and writes resume once space is freed.");
        next = CompletableFuture.failedFuture(new IllegalStateException("ours"));
        assertThat(check(readiness(patience))).contains("A write failed.");
    }

    @Test
    void a_server_that_stops_is_not_ready_and_writes_no_more() throws Exception {
        Readiness readiness = readiness(patience);
        readiness.stop();

        assertThat(check(readiness)).contains("The server is stopping.");
        assertThat(writes).isZero();
    }

    @Test
    void damage_means_not_ready_for_as_long_as_it_is_known() throws Exception {
        AtomicReference<Optional<String>> damage = new AtomicReference<>(Optional.empty());
        Readiness readiness = new Readiness(() -> next, damage::get, () -> nanos);
        assertThat(check(readiness)).isEmpty();
        damage.set(Optional.of("Stored rows are damaged."));
        assertThat(check(readiness)).contains("Stored rows are damaged.");
        damage.set(Optional.empty());
        assertThat(check(readiness)).isEmpty();
    }

    private Readiness readiness(Duration answerTimeMax) {
        return new Readiness(
                () -> {
                    writes++;
                    return next;
                },
                () -> nanos,
                answerTimeMax);
    }

    private static Optional<String> check(Readiness readiness) throws Exception {
        return readiness.check().toCompletableFuture().get();
    }
}
