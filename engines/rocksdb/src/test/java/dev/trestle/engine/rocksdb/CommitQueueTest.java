package dev.trestle.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.rocksdb.CommitQueue.Pending;
import dev.trestle.keyspace.Key;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitQueueTest {
    private static final int LARGE = 1 << 20;
    private static final long COLLECTION = 0x0101010101010101L;

    private final CommitQueue queue = new CommitQueue(20, 8 * LARGE);

    @Test
    void more_than_may_wait_is_refused_by_number() {
        for (int i = 0; i < 20; i++) {
            queue.offer(commit(10));
        }
        assertOverload(10);
        assertThat(queue.size()).isEqualTo(20);
    }

    @Test
    void large_commits_leave_room_for_small_ones() {
        for (int i = 0; i < 6; i++) {
            queue.offer(commit(LARGE));
        }
        assertOverload(LARGE);
        queue.offer(commit(1000));
        assertThat(queue.size()).isEqualTo(7);
    }

    @Test
    void rows_of_small_blobs_leave_room_for_entities() {
        int medium = 32 * 1024;
        CommitQueue narrow = new CommitQueue(1000, 16L * medium);
        for (int i = 0; i < 14; i++) {
            narrow.offer(commit(medium));
        }
        assertThatThrownBy(() -> narrow.offer(commit(medium))).isInstanceOf(EngineException.class);
        narrow.offer(commit(1000));
        assertThat(narrow.size()).isEqualTo(15);
    }

    @Test
    void one_commit_always_finds_room() {
        queue.offer(commit(16 * LARGE));
        assertThat(queue.size()).isEqualTo(1);
        assertOverload(10);
    }

    private void assertOverload(int rowBytes) {
        assertThatThrownBy(() -> queue.offer(commit(rowBytes)))
                .isInstanceOfSatisfying(
                        EngineException.class, e -> assertThat(e.kind()).isEqualTo(EngineException.Kind.OVERLOADED));
    }

    private static Pending commit(int rowBytes) {
        Key key = Key.of(COLLECTION, "p", "r");
        return Pending.of(
                new Commit(COLLECTION, "p", List.of(new Write.Put(key, new byte[rowBytes], Precondition.NONE))));
    }
}
