package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ContentPinsTest {
    private final ContentPins pins = new ContentPins();

    private static ContentPins.Content content(String manifest) {
        return new ContentPins.Content(1, "blob", manifest);
    }

    private ContentPins.Pin pin(String manifest) {
        return pins.pin(content(manifest));
    }

    private CompletableFuture<Void> free(String manifest) {
        return pins.free(content(manifest)).toCompletableFuture();
    }

    @Test
    void what_nobody_reads_is_free() {
        assertThat(free("a")).isCompleted();
    }

    @Test
    void what_many_read_is_free_when_the_last_is_done() {
        ContentPins.Pin first = pin("a");
        ContentPins.Pin second = pin("a");
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
        pin("a").close();
        ContentPins.Pin again = pin("a");
        assertThat(free("a")).isNotDone();
        again.close();
        assertThat(free("a")).isCompleted();
    }

    @Test
    void a_blob_has_the_manifests_of_its_own_that_are_being_read() {
        ContentPins.Pin first = pin("a");
        pin("b");
        pins.pin(new ContentPins.Content(1, "other", "c"));
        pins.pin(new ContentPins.Content(2, "blob", "d"));
        assertThat(pins.manifests(1, "blob")).containsExactlyInAnyOrder("a", "b");
        first.close();
        assertThat(pins.manifests(1, "blob")).containsExactly("b");
    }
}
