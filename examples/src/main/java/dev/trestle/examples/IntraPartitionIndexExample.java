package dev.trestle.examples;

import static dev.trestle.patterns.query.Filters.partitionKey;
import static dev.trestle.patterns.query.Filters.rowKey;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.index.Copy;
import dev.trestle.patterns.index.IntraPartitionIndex;
import dev.trestle.patterns.index.KeyTakenException;
import java.util.List;
import java.util.Optional;

/** Finds the employees of a department by number and by e-mail address. */
final class IntraPartitionIndexExample implements Example {
    @Override
    public String name() {
        return "intra-partition-index";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("employees");

        EntityType<Employee> employee = EntityType.of(Employee.class);
        Copy<Employee, Employee> byEmail = Copy.of(employee.keyedBy("{department}", "email_{email}"));
        IntraPartitionIndex<Employee> employees =
                IntraPartitionIndex.of(EntityTable.of(client, employee), List.of(byEmail));

        employees.insert(new Employee("Sales", 223, "Jun", "Jones", 34, "jonesj@contoso.com"));
        employees.insert(new Employee("Sales", 152, "Ken", "Kwok", 41, "kwokk@contoso.com"));
        employees.update(new EntityKey("Sales", "empid_000223"), jones -> jones.withEmail("jun@contoso.com"));

        Measured<Optional<Stored<Employee>>> found = context.measure(() -> {
            return employees.find(byEmail, new EntityKey("Sales", "email_jun@contoso.com"));
        });
        Measured<List<Employee>> range = context.measure(() -> employees
                .where(byEmail, partitionKey().eq("Sales").and(rowKey().startsWith("email_j")))
                .list());
        boolean held = found.value().map(stored -> stored.value().id()).equals(Optional.of(223))
                && range.value().size() == 1
                && employees
                        .find(byEmail, new EntityKey("Sales", "email_jonesj@contoso.com"))
                        .isEmpty()
                && isTaken(employees, Employee.of("Sales", 7, "Cao").withEmail("jun@contoso.com"));
        return new ExampleResult(
                "find by e-mail address, then a range of them",
                found.roundTrips() + range.roundTrips(),
                range.rowsExamined(),
                held);
    }

    private static boolean isTaken(IntraPartitionIndex<Employee> employees, Employee another) {
        try {
            employees.insert(another);
            return false;
        } catch (KeyTakenException e) {
            return employees.find(new EntityKey("Sales", "empid_000007")).isEmpty();
        }
    }
}
