package dev.trestle.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.http.HttpConfig;
import dev.trestle.server.http.HttpLimits;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServerLoadTest {
    private static final int LARGE = 1 << 20;

    private final ServerLoad load = new ServerLoad(HttpConfig.DEFAULT.loadLimit());

    @Test
    void pages_are_as_large_as_they_may_be_while_few_answers_wait() {
        assertThat(pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
        assertThat(load.holdResponse(HttpLimits.RESPONSE_BYTES_MAX / 2)).isTrue();
        assertThat(pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
    }

    @Test
    void pages_get_smaller_as_answers_wait_and_larger_when_they_are_taken() {
        long most = HttpLimits.RESPONSE_BYTES_MAX - (1 << 20);
        assertThat(load.holdResponse(most)).isTrue();
        assertThat(pageBytes()).isEqualTo(128 * 1024);
        assertThat(load.holdResponse(2 << 20)).as("more than may wait").isFalse();
        assertThat(pageBytes()).as("never so small that nothing gets done").isEqualTo(16 * 1024);
        load.releaseResponse(most + (2 << 20));
        assertThat(load.responseBytes()).isZero();
        assertThat(pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
    }

    @Test
    void pages_get_smaller_the_more_of_them_are_made_at_once() {
        CompletableFuture<Integer> made = new CompletableFuture<>();
        for (int i = 0; i < 55; i++) {
            assertThat(load.page(bytes -> made)).isNotDone();
        }
        assertThatThrownBy(() -> load.page(bytes -> {
                    throw new StorageException(StorageError.INVALID_INPUT);
                }))
                .isInstanceOf(StorageException.class);
        assertThat(load.page(bytes -> made.thenApply(ready -> bytes))).isNotDone();
        assertThat(pageBytes()).isEqualTo(1 << 20);
        made.complete(0);
        assertThat(pageBytes()).isEqualTo(Limits.PAGE_BYTES_MAX);
    }

    private int pageBytes() {
        return load.page(CompletableFuture::completedFuture)
                .toCompletableFuture()
                .join();
    }

    @Test
    void pieces_are_large_only_while_few_answers_wait() {
        load.holdResponse(HttpLimits.RESPONSE_BYTES_MAX / 4);
        assertThat(load.pieceBytes()).isEqualTo(1 << 20);
        load.holdResponse(1);
        assertThat(load.pieceBytes()).isEqualTo(16 * 1024);
    }

    @Test
    void answers_overflow_only_beyond_what_may_wait() {
        load.holdResponse(HttpLimits.RESPONSE_BYTES_MAX);
        assertThat(load.responsesOverflow()).isFalse();
        load.holdResponse(1);
        assertThat(load.responsesOverflow()).isTrue();
        load.releaseResponse(1);
        assertThat(load.responsesOverflow()).isFalse();
    }

    @Test
    void the_last_of_the_memory_is_for_small_requests() {
        long room = HttpLimits.BUFFERED_BYTES_MAX;
        assertThat(load.reserve(room * 7 / 8, room)).isTrue();
        assertThat(load.reserve(LARGE, LARGE)).as("another large one").isFalse();
        assertThat(load.reservePiece(1)).as("a piece of an upload").isFalse();
        assertThat(load.reserve(room / 16, 64 * 1024)).as("medium ones").isTrue();
        assertThat(load.reserve(1, 64 * 1024)).as("another medium one").isFalse();
        assertThat(load.reserve(1000, 1000)).as("a small one").isTrue();
        assertThat(load.reserve(room / 8, 1000)).as("too many small ones").isFalse();
        load.release(room * 15 / 16 + 1000);
        assertThat(load.requestBytes()).isZero();
    }

    @Test
    void a_refused_reservation_does_not_count() {
        assertThat(load.reserve(HttpLimits.BUFFERED_BYTES_MAX + 1, 1000)).isFalse();
        assertThat(load.requestBytes()).isZero();
    }
}
