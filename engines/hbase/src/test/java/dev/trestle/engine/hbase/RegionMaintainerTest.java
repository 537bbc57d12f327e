package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.PartitionRanges.Range;
import dev.trestle.engine.hbase.RegionMaintainer.Step;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RegionMaintainerTest {
    private final RegionMaintainer keeper = new RegionMaintainer(new RegionMaintainer.Thresholds(1000, 50, 5, 3));
    private int servers = 2;
    private int look;

    private static Range range(String id, long bytes, long requests) {
        return new Range(id, new byte[0], new byte[0], Optional.of("server"), bytes, requests, 0);
    }

    private Optional<Step> lookAt(Range... ranges) {
        return keeper.choose(List.of(ranges), servers, TimeUnit.SECONDS.toNanos(look++));
    }

    @Test
    void a_range_too_large_is_split() {
        Range large = range("b", 1001, 0);
        assertThat(lookAt(range("a", 1000, 0), large))
                .hasValue(new Step(Step.Kind.SPLIT_LARGE, large, Optional.empty()));
    }

    @Test
    void a_range_that_is_busy_at_two_looks_running_is_split() {
        assertThat(lookAt(range("a", 10, 0))).isEmpty();
        assertThat(lookAt(range("a", 10, 60))).isEmpty();
        assertThat(lookAt(range("a", 10, 120)).map(Step::kind)).hasValue(Step.Kind.SPLIT_BUSY);
    }

    @Test
    void a_busy_range_is_not_split_while_there_is_no_other_server_to_take_a_part_of_it() {
        servers = 1;
        for (int i = 0; i < 10; i++) {
            assertThat(lookAt(range("a", 10, 60L * i))).isEmpty();
        }
        servers = 2;
        assertThat(lookAt(range("a", 10, 600)).map(Step::kind)).hasValue(Step.Kind.SPLIT_BUSY);
    }

    @Test
    void a_range_that_is_busy_for_a_moment_stays() {
        lookAt(range("a", 10, 0));
        lookAt(range("a", 10, 60));
        assertThat(lookAt(range("a", 10, 70))).isEmpty();
        assertThat(lookAt(range("a", 10, 130))).isEmpty();
    }

    @Test
    void small_neighbours_that_have_long_been_quiet_are_merged() {
        for (int i = 0; i < 3; i++) {
            assertThat(lookAt(range("a", 100, 0), range("b", 100, 0))).isEmpty();
        }
        assertThat(lookAt(range("a", 100, 0), range("b", 100, 0)).map(Step::kind))
                .hasValue(Step.Kind.MERGE);
    }

    @Test
    void neighbours_that_would_be_large_or_of_which_one_is_in_use_stay_apart() {
        for (int i = 0; i < 10; i++) {
            assertThat(lookAt(range("a", 200, 0), range("b", 100, 0), range("c", 10, 30L * i)))
                    .isEmpty();
        }
    }

    @Test
    void a_range_that_another_server_took_is_looked_at_from_the_beginning() {
        lookAt(range("a", 10, 1000));
        assertThat(lookAt(range("a", 10, 5))).isEmpty();
        assertThat(lookAt(range("a", 10, 6))).isEmpty();
    }
}
