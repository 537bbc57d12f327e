package dev.trestle.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.Limits;
import org.junit.jupiter.api.Test;

class ServerLoadTest {
    private final ServerLoad load = new ServerLoad(HttpConfig.DEFAULT);

    @Test
    void pages_are_as_large_as_they_may_be_while_few_answers_wait() {
        assertThat(load.pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
        assertThat(load.waiting(HttpLimits.ANSWER_BYTES_MAX / 2)).isTrue();
        assertThat(load.pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
    }

    @Test
    void pages_get_smaller_as_answers_wait_and_larger_when_they_are_taken() {
        long most = HttpLimits.ANSWER_BYTES_MAX - (1 << 20);
        assertThat(load.waiting(most)).isTrue();
        assertThat(load.pageBytes()).isEqualTo(64 * 1024);
        assertThat(load.waiting(2 << 20)).as("more than may wait").isFalse();
        assertThat(load.pageBytes()).as("never so small that nothing gets done").isEqualTo(16 * 1024);
        load.taken(most + (2 << 20));
        assertThat(load.answerBytes()).isZero();
        assertThat(load.pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
    }
}
