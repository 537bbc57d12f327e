package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PinsTest {
    private final Pins pins = new Pins();

    private Pins.Pin pin(String manifest) {
        return pins.pin(new Pins.BlobKey(1, "blob"), manifest);
    }

    private CompletableFuture<Void> free(String manifest) {
        return pins.free(manifest).toCompletableFuture();
    }

    @Test
    void what_nobody_reads_is_free() {
        assertThat(free("a")).isCompleted();
    }

    @Test
    void what_many_read_is_free_when_the_last_is_done() {
        Pins.Pin first = pin("a");
        Pins.Pin second = pin("a");
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
    void what_is_read_of_a_blob_is_known() {
        Pins.Pin first = pin("a");
        pin("b");
        pins.pin(new Pins.BlobKey(2, "blob"), "c");
        assertThat(pins.pinned(new Pins.BlobKey(1, "blob"))).containsExactlyInAnyOrder("a", "b");
        first.close();
        assertThat(pins.pinned(new Pins.BlobKey(1, "blob"))).containsExactly("b");
        assertThat(pins.pinned(new Pins.BlobKey(1, "other"))).isEmpty();
    }

    @Test
    void what_is_read_again_is_held_again() {
        pin("a").close();
        Pins.Pin again = pin("a");
        assertThat(free("a")).isNotDone();
        again.close();
        assertThat(free("a")).isCompleted();
    }
}
