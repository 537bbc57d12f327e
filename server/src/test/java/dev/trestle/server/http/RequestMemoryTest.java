package dev.trestle.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.admission.RateLimits;
import dev.trestle.server.admission.ServerLoad;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {
    private static final int BODY_BYTES_MAX = 4 << 20;
    private static final int MEMORY = 8 << 20;

    private final ServerLoad load = new ServerLoad(new HttpConfig(10, MEMORY, RateLimits.NONE).loadLimit());
    private final RequestMemory memory = new RequestMemory(load, BODY_BYTES_MAX);

    @Test
    void nothing_is_taken_for_what_is_only_announced() {
        memory.expect(BODY_BYTES_MAX);
        assertThat(load.requestBytes()).isZero();
        memory.add(Buffer.buffer("x"));
        assertThat(load.requestBytes()).isLessThanOrEqualTo(1024);
    }

    @Test
    void a_body_that_comes_whole_takes_its_length() {
        memory.expect(5000);
        memory.add(chunk(5000));
        assertThat(memory.bytes()).hasSize(5000);
        assertThat(load.requestBytes()).isEqualTo(5000);
    }

    @Test
    void pieces_are_joined_in_an_array_no_longer_than_announced() {
        memory.expect(10_000);
        for (int i = 0; i < 100; i++) {
            memory.add(Buffer.buffer(("" + i % 10).repeat(100)));
        }
        assertThat(memory.length()).isEqualTo(10_000);
        assertThat(memory.bytes()).hasSize(10_000).startsWith('0').endsWith('9');
        assertThat(load.requestBytes()).isEqualTo(10_000);
    }

    @Test
    void a_body_without_a_length_may_grow_to_the_limit_and_no_further() {
        for (int sent = 0; sent < BODY_BYTES_MAX; sent += 64 * 1024) {
            memory.add(chunk(64 * 1024));
        }
        assertThat(memory.bytes()).hasSize(BODY_BYTES_MAX);
        assertRefused(StorageError.REQUEST_BODY_TOO_LARGE, chunk(1));
    }

    @Test
    void a_body_announced_as_large_is_refused_what_is_reserved_for_small_ones_from_its_first_byte_on() {
        assertThat(load.reserve(7 << 20, 7 << 20)).isTrue();
        memory.expect(BODY_BYTES_MAX);
        assertRefused(StorageError.SERVER_BUSY, chunk(1));
        memory.expect(1000);
        memory.add(chunk(1000));
        assertThat(load.requestBytes()).isEqualTo((7 << 20) + 1000);
    }

    @Test
    void more_than_all_requests_may_take_is_refused_and_given_back() {
        assertThat(load.reserve(5 << 20, 5 << 20)).isTrue();
        memory.expect(BODY_BYTES_MAX);
        memory.add(chunk(1 << 20));
        assertRefused(StorageError.SERVER_BUSY, chunk(2 << 20));
        memory.release();
        memory.release();
        assertThat(load.requestBytes()).isEqualTo(5 << 20);
    }

    private void assertRefused(StorageError error, Buffer chunk) {
        assertThatThrownBy(() -> memory.add(chunk))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    private static Buffer chunk(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 'x');
        return Buffer.buffer(bytes);
    }
}
