package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.hbase.CommitQueue.Group;
import dev.trestle.engine.hbase.CommitQueue.Pending;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitQueueTest {
    private static final long COLLECTION = 0x0101_0101_0101_0101L;

    private final CommitQueue queue = new CommitQueue();

    private static Pending commit(String partition, int rows) {
        return commit(partition, rows, 1);
    }

    private static Pending commit(String partition, int rows, int rowBytes) {
        byte[] row = new RowBuilder()
                .put("A", new EdmValue.Binary(new byte[rowBytes]))
                .build();
        List<Write> writes = IntStream.range(0, rows)
                .<Write>mapToObj(i -> new Write.Put(Key.of(COLLECTION, partition, "" + i), row, Precondition.NONE))
                .toList();
        return new Pending(new Commit(COLLECTION, partition, writes), 0);
    }

    private List<Pending> add(Pending... commits) {
        for (Pending commit : commits) {
            queue.add(commit);
        }
        return List.of(commits);
    }

    private Group next() {
        return queue.next().orElseThrow();
    }

    @Test
    void one_that_comes_alone_goes_at_once() {
        List<Pending> one = add(commit("a", 1));
        assertThat(next().commits()).isEqualTo(one);
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void those_that_come_meanwhile_go_together_afterwards() {
        add(commit("a", 1));
        Group first = next();
        List<Pending> later = add(commit("a", 1), commit("b", 1), commit("a", 1));
        assertThat(queue.next()).isEmpty();
        queue.completed(first);
        assertThat(next().commits()).containsExactlyInAnyOrderElementsOf(later);
    }

    @Test
    void a_large_group_goes_beside_what_is_under_way() {
        add(commit("a", 1));
        next();
        add(commit("b", 100), commit("c", 100));
        assertThat(queue.next()).isEmpty();
        add(commit("d", 100));
        assertThat(next().commits()).hasSize(3);
    }

    @Test
    void a_partition_is_never_in_two_requests_however_much_waits() {
        add(commit("a", 1));
        Group first = next();
        for (int i = 0; i < 10; i++) {
            queue.add(commit("a", 100));
        }
        assertThat(queue.next()).isEmpty();
        queue.completed(first);
        assertThat(next().commits()).hasSize(4);
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void no_more_than_three_requests_go_at_once() {
        for (int i = 0; i < 20; i++) {
            queue.add(commit("p" + i, 100));
        }
        Group first = next();
        next();
        next();
        assertThat(queue.next()).isEmpty();
        queue.completed(first);
        assertThat(queue.next()).isPresent();
    }

    @Test
    void a_group_ends_before_it_has_too_many_bytes_and_one_that_has_them_by_itself_goes_alone() {
        List<Pending> all =
                add(commit("a", 100, 30_000), commit("b", 100, 30_000), commit("c", 100, 60_000), commit("d", 1, 1));
        for (int i = 0; i < 3; i++) {
            Group group = next();
            assertThat(group.commits()).containsExactly(all.get(i));
            queue.completed(group);
        }
        assertThat(next().commits()).containsExactly(all.get(3));
    }

    @Test
    void it_is_idle_when_all_is_over() {
        add(commit("a", 1), commit("a", 1));
        Group group = next();
        assertThat(queue.isIdle()).isFalse();
        queue.completed(group);
        assertThat(queue.isIdle()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void all_go_once_in_the_order_of_their_partition_and_nothing_is_left_waiting(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int partitions = 1 + random.nextInt(20);
        Map<String, List<Pending>> expected = new HashMap<>();
        Map<String, List<Pending>> given = new HashMap<>();
        List<Group> underWay = new ArrayList<>();
        for (int i = 0; i < 2000 || !underWay.isEmpty(); i++) {
            if (i < 2000 && random.nextInt(3) > 0) {
                String partition = "p" + random.nextInt(partitions);
                Pending commit = commit(partition, 1 + random.nextInt(100));
                queue.add(commit);
                expected.computeIfAbsent(partition, none -> new ArrayList<>()).add(commit);
            } else if (!underWay.isEmpty()) {
                queue.completed(underWay.remove(random.nextInt(underWay.size())));
            }
            for (Optional<Group> group = queue.next(); group.isPresent(); group = queue.next()) {
                underWay.add(group.get());
                for (Pending commit : group.get().commits()) {
                    given.computeIfAbsent(commit.commit().partitionKey(), none -> new ArrayList<>())
                            .add(commit);
                }
            }
            assertThat(partitionsOfEach(underWay)).doesNotHaveDuplicates();
        }
        assertThat(given).isEqualTo(expected);
        assertThat(queue.isIdle()).isTrue();
    }

    private static List<String> partitionsOfEach(List<Group> groups) {
        List<String> partitions = new ArrayList<>();
        for (Group group : groups) {
            Set<String> own = new HashSet<>();
            group.commits().forEach(commit -> own.add(commit.commit().partitionKey()));
            partitions.addAll(own);
        }
        return partitions;
    }
}
