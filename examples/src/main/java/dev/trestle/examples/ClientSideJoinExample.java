package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.layout.CachedLookup;
import java.time.Duration;
import java.util.List;

/** Joins employees with the city of their department. */
final class ClientSideJoinExample implements Example {
    @PartitionKey("departments")
    @RowKey("{name}")
    record Department(String name, String city) {}

    @Override
    public String name() {
        return "client-side-join";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("staff");
        EntityTable<Employee> employees = EntityTable.of(client, Employee.class);
        EntityTable<Department> departments = EntityTable.of(client, Department.class);
        departments.insert(new Department("Sales", "Seattle"));
        employees.insert(Employee.of("Sales", 1, "Jones"));
        employees.insert(Employee.of("Sales", 2, "Hall"));

        CachedLookup<String, Department> byName =
                CachedLookup.of(departments.partition("departments"), Department::name, Duration.ofMinutes(5));
        List<String> first = joined(employees, byName);

        Measured<List<String>> again = context.measure(() -> joined(employees, byName));
        boolean held = first.equals(List.of("Jones, Seattle", "Hall, Seattle"))
                && again.value().equals(first);
        return ExampleResult.of("employees with their city, again", again, held && again.roundTrips() == 1);
    }

    private static List<String> joined(EntityTable<Employee> employees, CachedLookup<String, Department> byName) {
        return byName.join(
                        employees.partition("Sales").stream(),
                        Employee::department,
                        (employee, department) -> employee.lastName() + ", "
                                + department.map(Department::city).orElse("?"))
                .toList();
    }
}
