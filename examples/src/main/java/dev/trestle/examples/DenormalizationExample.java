package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.layout.Denormalization;
import java.util.Optional;

/** Keeps a copy of the manager's name in the department. */
final class DenormalizationExample implements Example {
    @Entity(name = "ManagedDepartment")
    @PartitionKey("{department}")
    @RowKey("department")
    record Department(String department, int managerId, String managerName) {
        Department managedBy(Employee employee) {
            return employee.id() == managerId ? new Department(department, managerId, employee.lastName()) : this;
        }

        Department managedBy(int employee) {
            return new Department(department, employee, "");
        }
    }

    @Override
    public String name() {
        return "denormalization";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("staff");

        EntityTable<Employee> employees = EntityTable.of(client, Employee.class);
        EntityTable<Department> departments = EntityTable.of(client, Department.class);
        Denormalization<Employee, Department> managers = Denormalization.of(
                employees,
                departments,
                employee -> Optional.of(new EntityKey(employee.department(), "department")),
                Department::managedBy);

        EntityKey jones = employees.insert(Employee.of("Sales", 223, "Jones")).key();
        EntityKey sales = departments.insert(new Department("Sales", 0, "")).key();
        managers.refer(jones, department -> department.managedBy(223));
        managers.update(jones, employee -> employee.withLastName("Smith"));

        Measured<Optional<Stored<Department>>> found = context.measure(() -> departments.find(sales));
        boolean held = found.value().map(Stored::value).equals(Optional.of(new Department("Sales", 223, "Smith")));
        return ExampleResult.of("a department with its manager", found, held);
    }
}
