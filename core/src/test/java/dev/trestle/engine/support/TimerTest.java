package dev.trestle.engine.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class TimerTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONGER_THAN_A_PAUSE = Duration.ofSeconds(1);

    @Test
    void a_delay_completes_on_the_timer_thread_and_not_before_its_time() throws Exception {
        long begun = System.nanoTime();
        String thread = Timer.after(SHORT)
                .thenApply(over -> Thread.currentThread().getName())
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        assertThat(thread).isEqualTo("trestle-timer");
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(SHORT.toNanos());
    }

    @Test
    void a_future_that_misses_its_limit_fails() {
        CompletableFuture<String> late = new CompletableFuture<>();
        assertThat(Timer.limit(late, SHORT)).isSameAs(late);
        assertThatThrownBy(() -> late.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void a_future_that_completes_within_its_limit_keeps_its_value() throws Exception {
        CompletableFuture<String> timely = Timer.limit(new CompletableFuture<>(), LONGER_THAN_A_PAUSE);
        timely.complete("done");
        Timer.after(LONGER_THAN_A_PAUSE.plus(SHORT)).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(timely).isCompletedWithValue("done");
    }
}
