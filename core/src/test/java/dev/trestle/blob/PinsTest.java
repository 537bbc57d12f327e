package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PinsTest {
    private final Pins pins = new Pins();

    private CompletableFuture<Void> free(String manifest) {
        return pins.free(manifest).toCompletableFuture();
    }

    @Test
    void what_nobody_reads_is_free() {
        assertThat(free("a")).isCompleted();
    }

    @Test
    void what_many_read_is_free_when_the_last_is_done() {
        Pins.Pin first = pins.pin("a");
        Pins.Pin second = pins.pin("a");
        CompletableFuture<Void> free = free("a");
        assertThat(free("b")).isCompleted();
        first.close();
        first.close();
        assertThat(free).isNotDone();
        second.close();
        assertThat(free).isCompleted();
        assertThat(free("a")).isCompleted();
    }

    @Test
    void what_is_read_again_is_held_again() {
        pins.pin("a").close();
        Pins.Pin again = pins.pin("a");
        assertThat(free("a")).isNotDone();
        again.close();
        assertThat(free("a")).isCompleted();
    }
}
