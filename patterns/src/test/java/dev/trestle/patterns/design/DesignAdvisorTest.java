package dev.trestle.patterns.design;

import static dev.trestle.patterns.query.Filters.everything;
import static dev.trestle.patterns.query.Filters.rowKey;
import static dev.trestle.patterns.query.Filters.timestamp;
import static dev.trestle.patterns.query.Filters.where;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.patterns.Staff.Employee;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.query.AccessPath;
import dev.trestle.patterns.query.Filter;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Findings and warnings for the designs that the guide discusses. */
class DesignAdvisorTest {
    private static final EntityMapping<Employee> EMPLOYEE = EntityMapping.of(Employee.class);

    private static QueryFinding finding(Filter filter) {
        DesignReview review =
                DesignAdvisor.review(List.of(EMPLOYEE), List.of(new DeclaredQuery("asked", EMPLOYEE, filter)));
        assertThat(review.warnings()).isEmpty();
        return review.queries().get(0);
    }

    private static Filter inSales() {
        return where(Employee::department).eq("Sales");
    }

    @Test
    void a_point_and_a_range_need_no_mending() {
        assertThat(finding(inSales().and(where(Employee::id).eq(1)))).hasToString("asked: POINT. Nothing is faster.");
        assertThat(finding(inSales().and(where(Employee::id).ge(1))).remedies()).isEmpty();
        assertThat(finding(inSales().and(where(Employee::id).ge(1))).path()).isEqualTo(AccessPath.RANGE);
    }

    @Test
    void a_partition_scan_for_a_property_is_mended_by_an_index_in_the_partition() {
        QueryFinding finding = finding(inSales().and(where(Employee::lastName).eq("Jones")));
        assertThat(finding.path()).isEqualTo(AccessPath.PARTITION_SCAN);
        assertThat(finding.advice()).contains("LastName");
        assertThat(finding.remedies())
                .containsExactly(GuidePattern.INTRA_PARTITION_SECONDARY_INDEX, GuidePattern.INDEX_ENTITIES);
    }

    @Test
    void a_table_scan_is_mended_by_what_it_asks_for() {
        assertThat(finding(where(Employee::lastName).eq("Jones")).remedies())
                .containsExactly(GuidePattern.INTER_PARTITION_SECONDARY_INDEX, GuidePattern.INDEX_ENTITIES);
        assertThat(finding(timestamp().lt(Instant.EPOCH)).remedies())
                .contains(GuidePattern.LOG_TAIL, GuidePattern.HIGH_VOLUME_DELETE);
        assertThat(finding(rowKey().eq("empid_000001")).remedies())
                .containsExactly(GuidePattern.INTER_PARTITION_SECONDARY_INDEX);
        assertThat(finding(everything()).path()).isEqualTo(AccessPath.TABLE_SCAN);
    }

    @PartitionKey("{day}_{user}")
    @RowKey("{user}")
    record Login(LocalDate day, String user) {}

    @PartitionKey("settings")
    @RowKey("{name}")
    record Setting(String name) {}

    @Test
    void partitions_that_are_hot_by_construction_are_warned_of() {
        DesignReview review = DesignAdvisor.review(
                List.of(EntityMapping.of(Login.class), EntityMapping.of(Setting.class), EMPLOYEE), List.of());
        assertThat(review.isSound()).isFalse();
        assertThat(review.warnings()).hasSize(2);
        assertThat(review.toString())
                .contains("Login: the partition key {day}_{user} starts with a time")
                .contains("Prepend/append anti-pattern")
                .contains("Setting: every entity is in the partition 'settings'");
    }
}
