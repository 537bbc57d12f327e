package dev.trestle.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.keyspace.Key;
import dev.trestle.model.StorageException;
import dev.trestle.testkit.ModelEngine;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockCountsTest {
    private static final long CONTAINER = 0x0102_0304_0506_0708L;
    private static final int BLOCKS_MAX = 3;

    private final BlobRowStore rows = new BlobRowStore(new ModelEngine(() -> Instant.parse("2026-07-31T18:00:00Z")));
    private final BlockCounts counts = new BlockCounts(rows, BLOCKS_MAX);

    private void write(String name, Write write) {
        assertThat(rows.commit(CONTAINER, BlobRowCodec.blocksPartition(name), List.of(write))
                        .toCompletableFuture()
                        .join())
                .isTrue();
    }

    private static Key key(String name, String id) {
        return BlobRowCodec.blockKey(CONTAINER, name, id);
    }

    private void put(String name, String id) {
        Part block = new Part(id, 1, 0, new Part.Inline(new byte[1]));
        write(name, new Write.Put(key(name, id), BlobRowCodec.encode(block, 1), Precondition.ABSENT));
    }

    private void add(String name, String id) {
        put(name, id);
        counts.added(CONTAINER, name);
    }

    private boolean hasRoom(String name) {
        return counts.room(CONTAINER, name)
                .handle((room, failure) -> {
                    assertThat(failure == null || StageFailures.cause(failure) instanceof StorageException)
                            .isTrue();
                    return failure == null;
                })
                .toCompletableFuture()
                .join();
    }

    @Test
    void there_is_room_up_to_the_limit_and_again_when_some_have_gone() {
        for (String id : List.of("1", "2", "3")) {
            assertThat(hasRoom("a")).isTrue();
            add("a", id);
        }
        assertThat(hasRoom("a")).isFalse();
        assertThat(hasRoom("b")).isTrue();
        write("a", new Write.Delete(key("a", "2"), Precondition.PRESENT));
        assertThat(hasRoom("a")).isTrue();
        add("a", "4");
        assertThat(hasRoom("a")).isFalse();
    }

    @Test
    void blocks_of_an_earlier_process_count() {
        List.of("1", "2", "3").forEach(id -> put("a", id));
        assertThat(hasRoom("a")).isFalse();
    }
}
