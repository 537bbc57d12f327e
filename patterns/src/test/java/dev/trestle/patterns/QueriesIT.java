package dev.trestle.patterns;

import static dev.trestle.patterns.query.Filters.ofType;
import static dev.trestle.patterns.query.Filters.partitionKey;
import static dev.trestle.patterns.query.Filters.property;
import static dev.trestle.patterns.query.Filters.rowKey;
import static dev.trestle.patterns.query.Filters.where;
import static dev.trestle.patterns.query.Filters.whereOptional;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.Staff.Department;
import dev.trestle.patterns.Staff.Employee;
import dev.trestle.patterns.Staff.Name;
import dev.trestle.patterns.entity.EntityReadException;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.query.Filter;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Queries on a real server. */
@ExtendWith(WithTrestle.class)
class QueriesIT {
    private static final int COUNT = 25;

    private final TableClient client;
    private final EntityTable<Staff> staff;
    private final EntityTable<Employee> employees;
    private final AsyncEntityTable<Employee> async;

    QueriesIT(ServerProcess server) {
        client = WithTrestle.newTable(server);
        staff = EntityTable.of(client, Staff.class);
        employees = EntityTable.of(client, Employee.class);
        async = AsyncEntityTable.of(WithTrestle.async(server, client), Employee.class);
    }

    @BeforeEach
    void fill() {
        List<Write> writes = new ArrayList<>();
        for (String department : List.of("Marketing", "O'Neil's")) {
            writes.add(staff.writes().insert(new Department(department, COUNT)));
            IntStream.range(0, COUNT)
                    .mapToObj(id -> Employee.of(department, id, "Name" + id % 5).withAge(20 + id))
                    .map(staff.writes()::insert)
                    .forEach(writes::add);
        }
        staff.bulk(writes, BulkOptions.standard()).orThrow();
    }

    private static Filter inMarketing() {
        return where(Employee::department).eq("Marketing");
    }

    private static Filter employeesOf(String department) {
        return where(Employee::department).eq(department).and(rowKey().startsWith("empid_"));
    }

    @Test
    void several_types_of_one_table_come_back_as_a_sealed_interface() {
        List<Staff> all = staff.partition("Marketing").list();
        assertThat(all).hasSize(COUNT + 1);
        assertThat(all.get(0)).isEqualTo(new Department("Marketing", COUNT));
        assertThat(all.get(1)).isInstanceOf(Employee.class);
    }

    @Test
    void one_type_of_several_is_asked_for_by_what_is_recorded() {
        assertThatThrownBy(() -> employees.partition("Marketing").list())
                .isInstanceOf(EntityReadException.class)
                .hasMessageContaining("of type Department and not Employee");
        assertThat(employees
                        .partition("Marketing")
                        .where(ofType(EntityType.of(Employee.class)))
                        .list())
                .hasSize(COUNT);
    }

    @Test
    void values_that_look_like_syntax_are_found_as_they_are() {
        assertThat(employees.where(employeesOf("O'Neil's")).count()).isEqualTo(COUNT);
        assertThat(employees.where(employeesOf("x' or PartitionKey ne '")).exists())
                .isFalse();
    }

    @Test
    void a_range_of_a_key_attribute_is_a_range_of_keys() {
        assertThat(employees.where(inMarketing().and(where(Employee::id).between(3, 5))).stream()
                        .map(Employee::id))
                .containsExactly(3, 4, 5);
        // The department sorts before the employees of its partition; an open-ended range must not include it.
        assertThat(employees.where(inMarketing().and(where(Employee::id).lt(2))).list())
                .hasSize(2);
    }

    @Test
    void a_scan_of_the_table_has_to_be_allowed() {
        Query<Employee> old = employees.where(where(Employee::age).gt(42).and(rowKey().startsWith("empid_")));
        assertThatThrownBy(old::list).isInstanceOf(TableScanException.class).hasMessageContaining("allowTableScan()");
        assertThat(old.allowTableScan().count()).isEqualTo(4);
        assertThatThrownBy(() -> async.where(where(Employee::age).gt(42)).flux().blockLast())
                .isInstanceOf(TableScanException.class);
    }

    @Test
    void a_limit_limits_and_a_page_size_does_not() {
        Query<Employee> all = employees.where(employeesOf("Marketing")).pageSize(10);
        assertThat(all.list()).hasSize(COUNT);
        assertThat(all.pages().map(page -> page.entities().size())).containsExactly(10, 10, 5);
        assertThat(all.limit(12).list()).hasSize(12);
        assertThat(all.limit(12).pages().map(page -> page.entities().size())).containsExactly(10, 2);
        AsyncQuery<Employee> reactive = async.where(employeesOf("Marketing")).pageSize(10);
        assertThat(reactive.flux().collectList().blockOptional().orElseThrow()).hasSize(COUNT);
        assertThat(reactive.limit(12)
                        .pages()
                        .map(page -> page.entities().size())
                        .collectList()
                        .block())
                .isEqualTo(List.of(10, 2));
        assertThat(reactive.count().block()).isEqualTo(COUNT);
        assertThat(reactive.exists().block()).isTrue();
        assertThat(reactive.first().blockOptional().orElseThrow().value().id()).isZero();
    }

    @Test
    void a_token_is_a_value_that_resumes_a_query() {
        Query<Employee> query = employees.where(employeesOf("Marketing")).pageSize(10);
        Page<Employee> first = query.page();
        PageToken token = PageToken.parse(first.next().orElseThrow().toString());
        Page<Employee> second = query.page(token);
        assertThat(second.values().get(0).id()).isEqualTo(10);
        Page<Employee> same = async.where(employeesOf("Marketing"))
                .pageSize(10)
                .page(token)
                .blockOptional()
                .orElseThrow();
        assertThat(same.values()).isEqualTo(second.values());
        assertThat(query.page(second.next().orElseThrow()).next()).isEmpty();
    }

    @Test
    void a_projection_brings_only_what_its_record_has() {
        assertThat(employees
                        .where(employeesOf("Marketing"))
                        .select(Name.class)
                        .limit(2)
                        .list())
                .containsExactly(new Name(0, "Name0"), new Name(1, "Name1"));
        assertThat(async.where(employeesOf("Marketing"))
                        .select(Name.class)
                        .limit(1)
                        .flux()
                        .blockLast())
                .isEqualTo(new Name(0, "Name0"));
        assertThatThrownBy(() -> employees.partition("Marketing").select(Map.Entry.class))
                .hasMessageContaining("neither a record nor a plain class");
    }

    record NotAPart(String department, long age, String shoeSize) {}

    @Test
    void a_projection_to_what_is_not_there_is_refused_with_the_reason() {
        assertThatThrownBy(() -> employees.partition("Marketing").select(NotAPart.class))
                .hasMessageContaining("age is of type long here and int in Employee")
                .hasMessageContaining("shoeSize is not an attribute of Employee");
    }

    @Test
    void optional_attributes_are_asked_for_by_their_content() {
        assertThat(employees
                        .where(inMarketing().and(whereOptional(Employee::email).eq("Name3@contoso.com")))
                        .list())
                .hasSize(5)
                .allSatisfy(e -> assertThat(e.email()).isEqualTo(Optional.of("Name3@contoso.com")));
    }

    @Test
    void the_literal_of_every_type_finds_its_value() {
        Map<String, Object> values = Map.of(
                "Text",
                "it's",
                "Flag",
                true,
                "Small",
                -5,
                "Big",
                Long.MIN_VALUE + 1,
                "Real",
                -1.5e-7,
                "Huge",
                1e300,
                "Id",
                UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"),
                "Bytes",
                new byte[] {0, (byte) 0xff},
                "Time",
                OffsetDateTime.parse("2014-08-22T00:50:32.1234567Z"));
        TableEntity entity = new TableEntity("values", "1");
        values.forEach(entity::addProperty);
        client.createEntity(entity);
        values.forEach((name, value) -> assertThat(employees
                        .where(partitionKey().eq("values").and(property(name).eq(value)))
                        .exists())
                .as(name)
                .isTrue());
    }
}
