package dev.trestle.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.EdmValue;
import dev.trestle.testkit.Gen;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerPropertyTest {
    private static final long COLLECTION = 0x0102_0304_0506_0708L;

    static LongStream seeds() {
        return Gen.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void spans_and_residual_together_answer_as_the_filter_does(long seed) {
        Gen gen = new Gen(seed);
        for (int i = 0; i < 300; i++) {
            Filter filter = gen.filter(4);
            QueryPlan plan = Planner.plan(filter);
            List<KeyRange> ranges = checkedRanges(plan);
            RowMatcher whole = RowMatcher.of(filter);
            RowMatcher residual = RowMatcher.of(plan.residual());
            for (int j = 0; j < 30; j++) {
                Key key = gen.key(COLLECTION);
                byte[] row = gen.row();
                assertThat(holds(ranges, key) && residual.matches(key, row))
                        .as("%s planned as %s for %s", filter, plan, key)
                        .isEqualTo(whole.matches(key, row));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_filter_on_keys_within_partitions_needs_no_residual(long seed) {
        Gen gen = new Gen(seed);
        for (int i = 0; i < 300; i++) {
            Filter partition = Filter.or(IntStream.rangeClosed(0, gen.below(3))
                    .mapToObj(n -> Filter.compare(Filter.PARTITION_KEY, Operator.EQ, new EdmValue.Text(gen.keyText())))
                    .toList());
            Filter filter = Filter.and(List.of(partition, keyFilter(gen, 4)));
            QueryPlan plan = Planner.plan(filter);
            assertThat(plan.residual()).as("%s", filter).isIn(Filter.ALL, Filter.NONE);
            List<KeyRange> ranges = checkedRanges(plan);
            RowMatcher whole = RowMatcher.of(filter);
            byte[] row = gen.row();
            for (int j = 0; j < 50; j++) {
                Key key = gen.key(COLLECTION);
                assertThat(holds(ranges, key))
                        .as("%s planned as %s for %s", filter, plan, key)
                        .isEqualTo(whole.matches(key, row));
            }
        }
    }

    private static Filter keyFilter(Gen gen, int depth) {
        if (depth == 0 || gen.chance(30)) {
            return Filter.compare(
                    gen.chance(40) ? Filter.PARTITION_KEY : Filter.ROW_KEY,
                    gen.oneOf(List.of(Operator.values())),
                    gen.chance(95) ? new EdmValue.Text(gen.keyText()) : gen.value());
        }
        List<Filter> parts = IntStream.rangeClosed(0, gen.below(3))
                .mapToObj(n -> keyFilter(gen, depth - 1))
                .toList();
        return switch (gen.below(3)) {
            case 0 -> Filter.and(parts);
            case 1 -> Filter.or(parts);
            default -> Filter.not(parts.get(0));
        };
    }

    /** Returns the ranges of a plan, after a check that they are ascending, disjoint and not empty. */
    private static List<KeyRange> checkedRanges(QueryPlan plan) {
        List<KeyRange> ranges = plan.ranges(COLLECTION);
        for (int i = 0; i < ranges.size(); i++) {
            assertThat(ranges.get(i).isEmpty()).as("%s", plan).isFalse();
            if (i > 0) {
                assertThat(Arrays.compareUnsigned(
                                ranges.get(i - 1).to(), ranges.get(i).from()))
                        .as("%s", plan)
                        .isLessThanOrEqualTo(0);
            }
        }
        return ranges;
    }

    private static boolean holds(List<KeyRange> ranges, Key key) {
        return ranges.stream()
                .anyMatch(range -> Arrays.compareUnsigned(range.from(), key.bytes()) <= 0
                        && Arrays.compareUnsigned(key.bytes(), range.to()) < 0);
    }
}
