package dev.trestle.plan;

import static dev.trestle.filter.Operator.EQ;
import static dev.trestle.filter.Operator.GE;
import static dev.trestle.filter.Operator.GT;
import static dev.trestle.filter.Operator.LE;
import static dev.trestle.filter.Operator.LT;
import static dev.trestle.filter.Operator.NE;
import static dev.trestle.plan.Filters.age;
import static dev.trestle.plan.Filters.and;
import static dev.trestle.plan.Filters.not;
import static dev.trestle.plan.Filters.or;
import static dev.trestle.plan.Filters.pk;
import static dev.trestle.plan.Filters.rk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.Filter;
import dev.trestle.model.EdmValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
    private static Arguments plan(String line, Filter filter) {
        return Arguments.of(line, filter);
    }

    static Stream<Arguments> plans() {
        Filter number = Filter.compare(Filter.PARTITION_KEY, EQ, new EdmValue.Int32(1));
        Filter belowNumber = Filter.compare(Filter.ROW_KEY, LT, new EdmValue.Int32(1));
        return Stream.of(
                // The four kinds of query of the design guide, and the one it warns about.
                plan("point 'Sales'/'2'", and(pk("Sales"), rk("2"))),
                plan("range ['Sales'/'S'..'Sales'/'T')", and(pk("Sales"), rk(GE, "S"), rk(LT, "T"))),
                plan("partition scan 'Sales' where Age gt 5", and(pk("Sales"), age(5))),
                plan("table scan where Age gt 5", age(5)),
                plan("point 'Sales'/'121', 'Sales'/'322'", and(pk("Sales"), or(rk("121"), rk("322")))),
                plan("table scan", Filter.ALL),
                // Partitions.
                plan("partition scan 'a'", pk("a")),
                plan("partition scan 'a', 'b'", or(pk("b"), pk("a"), pk("b"))),
                plan("range ('a'..)", pk(GT, "a")),
                plan("range ['a'..)", pk(GE, "a")),
                plan("range [..'a')", pk(LT, "a")),
                plan("range [..'a']", pk(LE, "a")),
                plan("range [..'a'), ('a'..)", pk(NE, "a")),
                plan("range ['a'..'b']", and(pk(GE, "a"), pk(LE, "b"))),
                plan("range ('a'..'b')", and(pk(GT, "a"), pk(LT, "b"))),
                plan("range ['a'..'c']", or(and(pk(GE, "a"), pk(LT, "b")), and(pk(GE, "b"), pk(LE, "c")))),
                plan("table scan", or(pk(LT, "b"), pk(GE, "b"))),
                plan("table scan", or(pk("a"), pk(NE, "a"))),
                plan("table scan", pk(GE, "")),
                plan("partition scan ''", pk(LE, "")),
                // Rows within a partition.
                plan("range ('a'/'1'..'a']", and(pk("a"), rk(GT, "1"))),
                plan("range ['a'/'1'..'a']", and(pk("a"), rk(GE, "1"))),
                plan("range ['a'..'a'/'1')", and(pk("a"), rk(LT, "1"))),
                plan("range ['a'..'a'/'1']", and(pk("a"), rk(LE, "1"))),
                plan("range ['a'..'a'/'1'), ('a'/'1'..'a']", and(pk("a"), rk(NE, "1"))),
                plan("partition scan 'a'", and(pk("a"), rk(GE, ""))),
                plan("point 'a'/''", and(pk("a"), rk(LE, ""))),
                plan("point 'a'/''", and(pk("a"), rk(""))),
                plan("point ''/''", and(pk(""), rk(""))),
                plan("point 'a'/'1' where Age gt 5", and(pk("a"), rk("1"), age(5))),
                plan("point 'a'/'1', 'b'/'2'", or(and(pk("b"), rk("2")), and(pk("a"), rk("1")))),
                plan("point 'a'/'1', 'a'/'2', 'b'/'1', 'b'/'2'", and(or(pk("a"), pk("b")), or(rk("1"), rk("2")))),
                // A condition on rows across partitions can only trim the ends.
                plan("range [''/'1'..) where RowKey eq '1'", rk("1")),
                plan("range [''/'1'..) where RowKey ge '1'", rk(GE, "1")),
                plan("table scan where RowKey lt '1'", rk(LT, "1")),
                plan(
                        "range ['a'/'1'..'b'/'1'] where PartitionKey ge 'a' and PartitionKey le 'b' and RowKey eq '1'",
                        and(pk(GE, "a"), pk(LE, "b"), rk("1"))),
                plan(
                        "range ('a'..'b') where PartitionKey gt 'a' and PartitionKey lt 'b' and RowKey eq '1'",
                        and(pk(GT, "a"), pk(LT, "b"), rk("1"))),
                // Negation is pushed down to the comparisons.
                plan("range [..'a'), ('a'..)", not(pk("a"))),
                plan("range ['b'..)", not(pk(LT, "b"))),
                plan("range [..'a'/'1'), ('a'/'1'..)", not(and(pk("a"), rk("1")))),
                plan("nothing", not(or(pk(LT, "b"), pk(GE, "b")))),
                plan("table scan where not (Age gt 5)", not(age(5))),
                plan("table scan where not (PartitionKey eq 'a' and Age gt 5)", not(and(pk("a"), age(5)))),
                plan("range [..'a'), ('a'..) where not (PartitionKey eq 'a' or Age gt 5)", not(or(pk("a"), age(5)))),
                // Contradictions.
                plan("nothing", and(pk("a"), pk("b"))),
                plan("nothing", and(pk("a"), rk("1"), rk("2"))),
                plan("nothing", and(pk(GT, "b"), pk(LT, "a"))),
                plan("nothing", pk(LT, "")),
                plan("nothing", Filter.NONE),
                plan("nothing", and(Filter.NONE, age(5))),
                // Keys are strings: a comparison with another literal has the same result for every key.
                plan("nothing", number),
                plan("table scan", not(number)),
                plan("partition scan 'a'", and(pk("a"), belowNumber)),
                plan("nothing", and(pk("a"), not(belowNumber))),
                // Mixed filters keep the conditions that the spans do not guarantee.
                plan("table scan where PartitionKey eq 'a' or Age gt 5", or(pk("a"), age(5))),
                plan("partition scan 'a' where RowKey eq '1' or Age gt 5", and(pk("a"), or(rk("1"), age(5)))),
                plan(
                        "partition scan 'a', 'b' where PartitionKey eq 'a' and Age gt 1 or PartitionKey eq 'b' and Age gt 2",
                        or(and(pk("a"), age(1)), and(pk("b"), age(2)))),
                plan("range 'a'/'1', ['b'..'c')", or(and(pk("a"), rk("1")), and(pk(GE, "b"), pk(LT, "c")))),
                plan("partition scan 'a'/'1', 'b'", or(and(pk("a"), rk("1")), pk("b"))),
                plan("point 'it''s'/'''' where Age gt 5", and(pk("it's"), rk("'"), age(5))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void a_filter_is_planned_as_this_line(String line, Filter filter) {
        assertThat(Planner.plan(filter)).hasToString(line);
    }

    @Test
    void many_points_are_printed_short() {
        List<Filter> points = new ArrayList<>();
        for (int i = 10; i < 30; i++) {
            points.add(rk(Integer.toString(i)));
        }
        assertThat(Planner.plan(and(pk("p"), Filter.or(points))))
                .hasToString(
                        "point 'p'/'10', 'p'/'11', 'p'/'12', 'p'/'13', 'p'/'14', 'p'/'15', 'p'/'16', 'p'/'17' and 12 more");
    }

    @Test
    void a_chain_of_thousands_of_points_is_planned_exactly() {
        List<Filter> points = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            points.add(and(pk("p" + i % 100), rk("r" + i)));
        }
        QueryPlan plan =
                Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Planner.plan(Filter.or(points)));
        assertThat(plan.spans()).hasSize(5000);
        assertThat(plan.residual()).isEqualTo(Filter.ALL);
    }

    /** Thousands of partitions with thousands of rows each would be millions of spans. */
    @Test
    void a_product_of_partitions_and_rows_is_planned_coarsely_and_soon() {
        List<Filter> partitions = new ArrayList<>();
        List<Filter> rows = new ArrayList<>();
        List<Filter> points = new ArrayList<>();
        for (int i = 10_000; i < 14_000; i++) {
            partitions.add(pk("p" + i));
            rows.add(rk("r" + i));
            points.add(and(pk("p" + i), rk("x" + i)));
        }
        Filter product = and(Filter.or(partitions), Filter.or(rows));
        Filter mixture = or(Filter.or(rows), Filter.or(points));
        QueryPlan ofProduct = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Planner.plan(product));
        QueryPlan ofMixture = Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> Planner.plan(mixture));
        assertThat(ofProduct.spans()).hasSize(4000).allMatch(KeySpan::isPartition);
        assertThat(ofProduct.residual()).isEqualTo(product);
        assertThat(ofMixture.spans()).containsExactly(KeySpan.ALL);
        assertThat(ofMixture.residual()).isEqualTo(mixture);
    }
}
