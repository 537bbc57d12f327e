package dev.trestle.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MILLI = 1_000_000;

    @Test
    void an_open_loop_has_its_times_whatever_the_clock_says() {
        Pace pace = Pace.open(Duration.ofMillis(50), 100);
        assertThat(pace.next(0)).isZero();
        assertThat(pace.next(0)).isEqualTo(10 * MILLI);
        assertThat(pace.next(500 * MILLI)).isEqualTo(20 * MILLI);
        assertThat(pace.next(1)).isEqualTo(30 * MILLI);
        assertThat(pace.next(900 * MILLI)).isEqualTo(40 * MILLI);
        assertThat(pace.next(0)).isEqualTo(Pace.OVER);
    }

    @Test
    void an_open_loop_sends_what_its_rate_and_duration_come_to() {
        Pace pace = Pace.open(Duration.ofSeconds(3), 777);
        int sent = 0;
        while (pace.next(0) != Pace.OVER) {
            sent++;
        }
        assertThat(sent).isEqualTo(3 * 777);
    }

    @Test
    void a_closed_loop_sends_at_once_until_its_time_is_over() {
        Pace pace = Pace.closed(Duration.ofMillis(50));
        assertThat(pace.next(7)).isEqualTo(7);
        assertThat(pace.next(49 * MILLI)).isEqualTo(49 * MILLI);
        assertThat(pace.next(50 * MILLI)).isEqualTo(Pace.OVER);
        assertThat(pace.isOpen()).isFalse();
    }

    @Test
    void a_rate_of_nothing_is_refused() {
        assertThatThrownBy(() -> Pace.open(Duration.ofSeconds(1), 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
