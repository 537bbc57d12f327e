package dev.trestle.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans within one partition. */
class OnlyPartitionTest {
    @Test
    void a_partition_a_range_and_points_of_it_have_one() {
        Filter eu = key(Filter.PARTITION_KEY, Operator.EQ, "eu");

        assertThat(Planner.plan(eu).onlyPartition()).contains("eu");
        assertThat(Planner.plan(Filter.and(List.of(eu, key(Filter.ROW_KEY, Operator.GT, "5"))))
                        .onlyPartition())
                .contains("eu");
        assertThat(Planner.plan(Filter.and(List.of(
                                eu,
                                Filter.or(List.of(
                                        key(Filter.ROW_KEY, Operator.EQ, "1"),
                                        key(Filter.ROW_KEY, Operator.EQ, "2"))))))
                        .onlyPartition())
                .contains("eu");
    }

    @Test
    void several_partitions_a_table_and_nothing_have_none() {
        assertThat(Planner.plan(Filter.ALL).onlyPartition()).isEmpty();
        assertThat(Planner.plan(Filter.NONE).onlyPartition()).isEmpty();
        assertThat(Planner.plan(key(Filter.PARTITION_KEY, Operator.GE, "eu")).onlyPartition())
                .isEmpty();
        assertThat(Planner.plan(Filter.or(List.of(
                                key(Filter.PARTITION_KEY, Operator.EQ, "eu"),
                                key(Filter.PARTITION_KEY, Operator.EQ, "us"))))
                        .onlyPartition())
                .isEmpty();
    }

    private static Filter key(String property, Operator operator, String value) {
        return Filter.compare(property, operator, new EdmValue.Text(value));
    }
}
