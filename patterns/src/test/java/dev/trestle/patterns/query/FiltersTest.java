package dev.trestle.patterns.query;

import static dev.trestle.patterns.query.Filters.everything;
import static dev.trestle.patterns.query.Filters.partitionKey;
import static dev.trestle.patterns.query.Filters.property;
import static dev.trestle.patterns.query.Filters.rowKey;
import static dev.trestle.patterns.query.Filters.timestamp;
import static dev.trestle.patterns.query.Filters.where;
import static dev.trestle.patterns.query.Filters.whereOptional;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.patterns.Staff;
import dev.trestle.patterns.Staff.Employee;
import dev.trestle.patterns.Staff.Paid;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Rendered OData filters and their access paths. */
class FiltersTest {
    private static final EntityMapping<Employee> EMPLOYEE = EntityMapping.of(Employee.class);

    private static String rendered(Filter filter) {
        return filter.render(EMPLOYEE);
    }

    @Test
    void an_attribute_that_is_a_key_is_asked_of_the_key() {
        assertThat(rendered(where(Employee::department).eq("Sales").and(rowKey().startsWith("empid_"))))
                .isEqualTo("(PartitionKey eq 'Sales') and (RowKey ge 'empid_') and (RowKey lt 'empid`')");
        assertThat(rendered(where(Employee::id).eq(223))).isEqualTo("RowKey eq 'empid_000223'");
        assertThat(rendered(where(Staff::department).eq("Sales"))).isEqualTo("PartitionKey eq 'Sales'");
    }

    @Test
    void a_range_of_a_key_stays_among_the_keys_of_its_template() {
        assertThat(rendered(where(Employee::id).ge(100)))
                .isEqualTo("(RowKey ge 'empid_000100') and (RowKey lt 'empid`')");
        assertThat(rendered(where(Employee::id).lt(100)))
                .isEqualTo("(RowKey lt 'empid_000100') and (RowKey ge 'empid_')");
    }

    @PartitionKey("{user}")
    @RowKey("{at:inverted}")
    record Login(String user, Instant at) {}

    @Test
    void what_is_stored_newest_first_is_asked_the_other_way_round() {
        assertThat(where(Login::at).gt(Instant.parse("2014-08-22T00:50:32Z")).render(EntityMapping.of(Login.class)))
                .isEqualTo("RowKey lt '2519936321679999999'");
    }

    @Test
    void every_operator_and_connective_is_written() {
        assertThat(rendered(where(Employee::age).ne(1))).isEqualTo("Age ne 1");
        assertThat(rendered(where(Employee::age).gt(1))).isEqualTo("Age gt 1");
        assertThat(rendered(where(Employee::age).le(1).not())).isEqualTo("not (Age le 1)");
        assertThat(rendered(where(Employee::age).between(1, 2))).isEqualTo("(Age ge 1) and (Age le 2)");
        assertThat(rendered(where(Employee::age).in(List.of(1, 2)))).isEqualTo("(Age eq 1) or (Age eq 2)");
        assertThat(rendered(whereOptional(Employee::email).eq("a"))).isEqualTo("Email eq 'a'");
        assertThat(rendered(everything())).isEmpty();
        assertThat(rendered(everything().and(where(Employee::age).lt(5)))).isEqualTo("Age lt 5");
    }

    @Test
    void what_binds_otherwise_than_it_reads_is_in_brackets() {
        Filter young = where(Employee::age).lt(20);
        Filter old = where(Employee::age).gt(60);
        Filter jones = where(Employee::lastName).eq("Jones");
        assertThat(rendered(young.or(old).and(jones)))
                .isEqualTo("((Age lt 20) or (Age gt 60)) and (LastName eq 'Jones')");
        assertThat(rendered(young.or(old.and(jones))))
                .isEqualTo("(Age lt 20) or ((Age gt 60) and (LastName eq 'Jones'))");
        assertThat(rendered(young.or(old).or(jones))).isEqualTo("(Age lt 20) or (Age gt 60) or (LastName eq 'Jones')");
        assertThat(rendered(young.or(everything()))).isEmpty();
    }

    @PartitionKey("{name}")
    @RowKey("1")
    static class Bean {
        private String name = "";
        private boolean active;
        private int size;

        String getName() {
            return name;
        }

        boolean isActive() {
            return active;
        }

        int size() {
            return size;
        }
    }

    @Test
    void the_accessors_of_plain_classes_are_named_in_any_of_the_usual_ways() {
        EntityMapping<Bean> bean = EntityMapping.of(Bean.class);
        assertThat(where(Bean::getName).eq("a").render(bean)).isEqualTo("PartitionKey eq 'a'");
        assertThat(where(Bean::isActive).eq(true).render(bean)).isEqualTo("active eq true");
        assertThat(where(Bean::size).eq(3).render(bean)).isEqualTo("size eq 3");
    }

    @Test
    void a_value_is_never_read_as_syntax() {
        assertThat(rendered(where(Employee::lastName).eq("O'Neil' or PartitionKey ne '")))
                .isEqualTo("LastName eq 'O''Neil'' or PartitionKey ne '''");
        assertThatThrownBy(() -> property("Age eq 1 or Age")).hasMessageContaining("not a property name");
    }

    @Test
    void every_type_has_its_literal() {
        assertThat(rendered(property("P").eq(1L))).isEqualTo("P eq 1L");
        assertThat(rendered(property("P").eq(0.5))).isEqualTo("P eq 0.5");
        assertThat(rendered(property("P").eq(true))).isEqualTo("P eq true");
        assertThat(rendered(property("P").eq(new byte[] {1, (byte) 0xfe}))).isEqualTo("P eq X'01fe'");
        assertThat(rendered(property("P").eq(new UUID(0, 1))))
                .isEqualTo("P eq guid'00000000-0000-0000-0000-000000000001'");
        assertThat(rendered(timestamp().ge(Instant.parse("2014-08-22T00:50:32.12Z"))))
                .isEqualTo("Timestamp ge datetime'2014-08-22T00:50:32.1200000Z'");
        assertThatThrownBy(() -> rendered(property("P").eq(Double.NaN))).hasMessageContaining("no OData literal");
        assertThatThrownBy(() -> rendered(property("P").eq(new Object()))).hasMessageContaining("cannot be compared");
    }

    @Test
    void a_prefix_ends_before_the_next_text_that_can_be_sent() {
        assertThat(rendered(rowKey().startsWith("a\uFFFF"))).endsWith("(RowKey lt 'b')");
        assertThat(rendered(rowKey().startsWith("\uD7FF"))).endsWith("(RowKey lt '\uD800\uDC00')");
        assertThat(rendered(rowKey().startsWith("\uDBFF\uDFFF"))).endsWith("(RowKey lt '\uE000')");
        assertThat(rendered(rowKey().startsWith("\uFFFF"))).isEqualTo("RowKey ge '\uFFFF'");
    }

    @Test
    void what_the_service_cannot_compare_is_refused() {
        assertThatThrownBy(() -> where(Paid::salary).eq("1").render(EntityMapping.of(Paid.class)))
                .hasMessageContaining("salary is encrypted");
        assertThatThrownBy(() -> rendered(where(Paid::title).eq("1")))
                .hasMessageContaining("not an attribute of Employee");
        assertThatThrownBy(() -> where((Employee employee) -> employee.age() + 1))
                .hasMessageContaining("use a method reference");
    }

    @Test
    void the_way_to_the_answer_is_the_one_the_guide_names() {
        Filter sales = where(Employee::department).eq("Sales");
        Filter smith = where(Employee::lastName).eq("Smith");
        assertThat(sales.and(where(Employee::id).eq(2)).accessPath(EMPLOYEE)).isEqualTo(AccessPath.POINT);
        assertThat(sales.and(rowKey().from("S", "T")).accessPath(EMPLOYEE)).isEqualTo(AccessPath.RANGE);
        assertThat(sales.and(smith).accessPath(EMPLOYEE)).isEqualTo(AccessPath.PARTITION_SCAN);
        assertThat(smith.accessPath(EMPLOYEE)).isEqualTo(AccessPath.TABLE_SCAN);
        assertThat(where(Employee::id).eq(2).accessPath(EMPLOYEE)).isEqualTo(AccessPath.TABLE_SCAN);
        assertThat(sales.and(rowKey().in(List.of("121", "322"))).accessPath(EMPLOYEE))
                .isEqualTo(AccessPath.PARTITION_SCAN);
        assertThat(partitionKey().in(List.of("a", "b")).accessPath(EMPLOYEE)).isEqualTo(AccessPath.TABLE_SCAN);
        assertThat(sales.not().accessPath(EMPLOYEE)).isEqualTo(AccessPath.TABLE_SCAN);
    }
}
