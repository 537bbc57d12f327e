package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Query;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.query.Filters;
import java.util.List;

/** Stores departments with their employees in each of the guide's three forms. */
final class OneToManyExample implements Example {
    sealed interface Staff permits Department, Member {}

    @PartitionKey("{department}")
    @RowKey("department")
    record Department(String department, int employeeCount) implements Staff {}

    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}")
    record Member(String department, int id, String lastName) implements Staff {}

    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}")
    record MemberWithDepartment(String department, int id, String lastName, String departmentCity) {}

    @Override
    public String name() {
        return "one-to-many";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("staff");
        TableClient departmentClient = context.table("departments");
        TableClient denormalizedClient = context.table("denormalized");

        // Same table and partition: a department and its employees are written in one transaction and read by one
        // request.
        EntityTable<Department> departments = EntityTable.of(client, Department.class);
        EntityTable<Member> members = EntityTable.of(client, Member.class);
        Stored<Department> sales = departments.insert(new Department("Sales", 0));
        departments.transact(List.of(
                members.writes().insert(new Member("Sales", 223, "Jones")),
                departments.writes().replace(sales.with(new Department("Sales", 1)))));
        List<Staff> together =
                EntityTable.of(client, Staff.class).partition("Sales").list();

        // Two tables: each is written separately, and reading both takes two requests.
        EntityType<Department> apart = EntityType.of(Department.class).keyedBy("departments", "{department}");
        EntityTable<Department> departmentTable = EntityTable.of(departmentClient, apart);
        departmentTable.insert(new Department("Sales", 1));
        Query<Member> ofSales =
                members.partition("Sales").where(Filters.rowKey().startsWith("empid_"));
        int inTwo =
                departmentTable.find("departments", "Sales").stream().toList().size()
                        + ofSales.list().size();

        // Denormalized: one request reads both, but a change of the department rewrites each of its employees.
        EntityTable<MemberWithDepartment> whole =
                EntityTable.of(denormalizedClient, EntityMapping.of(MemberWithDepartment.class));
        whole.insert(new MemberWithDepartment("Sales", 223, "Jones", "Seattle"));

        Measured<List<Staff>> read = context.measure(
                () -> EntityTable.of(client, Staff.class).partition("Sales").list());
        boolean held = together.equals(List.of(new Department("Sales", 1), new Member("Sales", 223, "Jones")))
                && inTwo == 2
                && whole.find("Sales", "empid_000223")
                        .orElseThrow()
                        .value()
                        .departmentCity()
                        .equals("Seattle");
        return ExampleResult.of("a department and its employees", read, held);
    }
}
