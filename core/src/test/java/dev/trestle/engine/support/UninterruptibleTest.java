package dev.trestle.engine.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UninterruptibleTest {
    @Test
    void a_wait_is_repeated_when_it_is_interrupted_and_the_flag_is_restored() {
        AtomicInteger runs = new AtomicInteger();
        Uninterruptible.run(() -> {
            if (runs.incrementAndGet() < 3) {
                throw new InterruptedException();
            }
        });
        assertThat(runs).hasValue(3);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_wait_that_is_not_interrupted_runs_once_and_sets_no_flag() {
        AtomicInteger runs = new AtomicInteger();
        Uninterruptible.run(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        assertThat(Thread.interrupted()).isFalse();
    }
}
