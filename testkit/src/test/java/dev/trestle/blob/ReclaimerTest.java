package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.testkit.ModelContents;
import dev.trestle.testkit.ModelEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReclaimerTest {
    private static final long CONTAINER = 0x0102_0304_0506_0708L;

    private final List<Throwable> troubles = new ArrayList<>();
    private final BlobStore rows = new BlobStore(new ModelEngine(() -> Instant.parse("2026-07-31T18:00:00Z")));
    private final Reclaimer reclaimer = new Reclaimer(rows, new ModelContents(), new Pins(), false, troubles::add);

    private boolean isHeld(String blob, String content) {
        return reclaimer
                .isHeld(BlobRows.owner(CONTAINER, blob), CONTAINER, content)
                .toCompletableFuture()
                .join();
    }

    @Test
    void a_block_that_waits_holds_its_content_from_one_process_to_the_next() {
        Part block = new Part("b1", 40_000, 0, new Part.Stored("c1"));
        Write put =
                new Write.Put(BlobRows.blockKey(CONTAINER, "a", "b1"), BlobRows.encode(block, 1), Precondition.ABSENT);
        assertThat(rows.commit(CONTAINER, BlobRows.blocksPartition("a"), List.of(put))
                        .toCompletableFuture()
                        .join())
                .isTrue();
        assertThat(isHeld("a", "c1")).isTrue();
        assertThat(isHeld("a", "c2")).isFalse();
        assertThat(isHeld("b", "c1")).isFalse();
        assertThat(troubles).isEmpty();
    }
}
