package dev.trestle.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MessageCountTest {
    private static final long START = 7;

    private final AtomicLong nanos = new AtomicLong(START);
    private final MessageCount count = new MessageCount(nanos::get);

    @Test
    void nobody_has_counted_at_first() {
        assertThat(count.isOlderThan(Long.MAX_VALUE)).isTrue();
        count.counted(3, count.additions());
        assertThat(count.isOlderThan(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void a_count_grows_old() {
        count.counted(3, count.additions());
        nanos.set(START + 10);
        assertThat(count.isOlderThan(10)).isFalse();
        nanos.set(START + 11);
        assertThat(count.isOlderThan(10)).isTrue();
        count.counted(3, count.additions());
        assertThat(count.isOlderThan(10)).isFalse();
    }

    @Test
    void what_comes_and_goes_after_counting_changes_it() {
        count.counted(3, count.additions());
        count.added();
        count.added();
        count.removed(1);
        assertThat(count.messages()).isEqualTo(4);
    }

    @Test
    void what_came_while_it_was_counted_may_count_twice_but_is_not_missed() {
        count.added();
        long additions = count.additions();
        count.added();
        count.counted(1, additions);
        assertThat(count.messages()).isEqualTo(2);
    }

    @Test
    void it_is_never_less_than_nothing() {
        count.counted(1, count.additions());
        count.removed(2);
        assertThat(count.messages()).isZero();
    }
}
