package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.PartitionRanges;
import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Splits and merges of ranges during commits. */
class RegionsIT {
    private static final long COLLECTION = 0x0101_0101_0101_0103L;

    /** Commits that wait for a split range, at most. */
    private static final int IN_FLIGHT_MAX = 20;

    private HBaseEngine engine;
    private PartitionRanges ranges;

    @BeforeEach
    void open() throws Exception {
        engine = (HBaseEngine) new TestCluster.Fresh(true).open(InstantSource.system());
        ranges = engine.ranges();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static Commit commit(String partition, int from, int count) {
        List<Write> writes = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            byte[] row = new RowBuilder().put("N", new EdmValue.Int32(i)).build();
            writes.add(
                    new Write.Put(Key.of(COLLECTION, partition, String.format("%06d", i)), row, Precondition.ABSENT));
        }
        return new Commit(COLLECTION, partition, writes);
    }

    private void fill(String partition, int commits) throws Exception {
        List<CompletableFuture<CommitResult>> all = new ArrayList<>();
        for (int i = 0; i < commits; i++) {
            all.add(engine.commit(commit(partition, 100 * i, 100)).toCompletableFuture());
        }
        for (CompletableFuture<CommitResult> one : all) {
            assertThat(await(one)).isInstanceOf(CommitResult.Committed.class);
        }
    }

    /** Returns the range of all partitions, which starts with the first of them. */
    private Range fromFirstPartition() throws Exception {
        await(ranges.split(await(ranges.list()).get(0).id(), Optional.of(Key.beforePartition(COLLECTION, "a"))));
        return await(ranges.list()).get(1);
    }

    private int rows() throws Exception {
        Scan scan = new Scan(
                List.of(Key.collectionRange(COLLECTION)),
                Filter.ALL,
                List.of(),
                new Scan.Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofMinutes(1)));
        return await(engine.scan(scan)).size();
    }

    @Test
    void commits_go_on_while_a_range_is_split_and_merged_and_none_is_lost() throws Exception {
        fill("a", 5);
        fill("b", 5);
        String only = await(ranges.list()).get(0).id();
        List<CompletableFuture<CommitResult>> meanwhile = new ArrayList<>();
        CompletionStage<Void> split = ranges.split(only, Optional.of(Key.beforePartition(COLLECTION, "b")));
        for (int i = 5; !split.toCompletableFuture().isDone() || i < 100; i++) {
            if (meanwhile.size() >= IN_FLIGHT_MAX) {
                await(meanwhile.get(meanwhile.size() - IN_FLIGHT_MAX));
            }
            meanwhile.add(engine.commit(commit("a", 100 * i, 100)).toCompletableFuture());
            meanwhile.add(engine.commit(commit("b", 100 * i, 100)).toCompletableFuture());
        }
        await(split);
        for (CompletableFuture<CommitResult> one : meanwhile) {
            assertThat(await(one)).isInstanceOf(CommitResult.Committed.class);
        }
        List<Range> two = await(ranges.list());
        assertThat(two).hasSize(2);
        assertThat(two.get(1).from()).isEqualTo(Key.beforePartition(COLLECTION, "b"));
        await(ranges.merge(two.get(0).id(), two.get(1).id()));
        assertThat(await(ranges.list())).hasSize(1);
        assertThat(rows()).isEqualTo(1000 + 100 * meanwhile.size());
    }

    @Test
    void a_long_partition_at_the_beginning_does_not_keep_those_behind_it_from_being_split_off() throws Exception {
        fill("a", 100);
        fill("b", 1);
        await(ranges.split(fromFirstPartition().id(), Optional.empty()));
        List<Range> three = await(ranges.list());
        assertThat(three).hasSize(3);
        assertThat(three.get(2).from()).isEqualTo(Key.beforePartition(COLLECTION, "b"));
    }

    /** Creates two ranges on one server, from partition a and from partition b. */
    private List<Range> two() throws Exception {
        fill("a", 1);
        fill("b", 1);
        await(ranges.split(await(ranges.list()).get(0).id(), Optional.of(Key.beforePartition(COLLECTION, "b"))));
        List<Range> two = await(ranges.list());
        assertThat(two.get(0).server()).isEqualTo(two.get(1).server());
        return two;
    }

    @Test
    void reads_of_a_range_that_is_nowhere_open_keep_no_others_of_the_same_server_waiting() throws Exception {
        byte[] region = two().get(1).id().getBytes(StandardCharsets.US_ASCII);
        Key open = Key.of(COLLECTION, "a", "000000");
        Key closed = Key.of(COLLECTION, "b", "000000");
        // Caches the locations.
        assertThat(await(engine.read(open))).isPresent();
        assertThat(await(engine.read(closed))).isPresent();
        try (Connection connection = TestCluster.connect();
                Admin admin = connection.getAdmin()) {
            admin.unassign(region);
            List<CompletionStage<Optional<byte[]>>> stuck = List.of(engine.read(closed), engine.read(closed));
            assertThat(engine.read(open).toCompletableFuture()).succeedsWithin(Duration.ofSeconds(3));
            assertThat(stuck).noneMatch(read -> read.toCompletableFuture().isDone());
            admin.assign(region);
            for (CompletionStage<Optional<byte[]>> read : stuck) {
                assertThat(await(read)).isPresent();
            }
        }
    }

    @Test
    void a_read_waits_for_a_range_that_is_nowhere_to_be_found_and_is_answered_when_it_is() throws Exception {
        byte[] region = two().get(1).id().getBytes(StandardCharsets.US_ASCII);
        Key closed = Key.of(COLLECTION, "b", "000000");
        try (Connection connection = TestCluster.connect();
                Admin admin = connection.getAdmin();
                Table places = connection.getTable(TableName.META_TABLE_NAME)) {
            byte[] place = connection
                    .getRegionLocator(TestCluster.TABLE)
                    .getRegionLocation(closed.bytes())
                    .getRegion()
                    .getRegionName();
            admin.unassign(region);
            // The state in the milliseconds after a split, before a server has opened the new range.
            places.delete(new Delete(place).addColumns(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER));
            // Another front end, which has not cached the location.
            try (HBaseEngine another = HBaseEngine.open(TestCluster.config(), InstantSource.system())) {
                CompletionStage<Optional<byte[]>> read = another.read(closed);
                assertThat(await(another.read(Key.of(COLLECTION, "a", "000000"))))
                        .isPresent();
                admin.assign(region);
                assertThat(await(read)).isPresent();
            }
        }
    }

    @Test
    void one_partition_alone_is_never_split() throws Exception {
        fill("a", 20);
        Range only = fromFirstPartition();
        assertThatThrownBy(() -> await(ranges.split(only.id(), Optional.empty())))
                .hasMessageContaining("holds one partition, and a partition cannot be split");
        assertThat(await(ranges.list())).hasSize(2);
    }

    @Test
    void a_range_that_is_not_there_is_said_to_be_so() {
        assertThatThrownBy(() -> await(ranges.move("nowhere", Optional.empty())))
                .hasMessageContaining("There is no range nowhere now");
    }
}
