package dev.trestle.patterns;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.Naming;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;

/** The guide's employee, keyed by department and number. */
@Entity(naming = Naming.CAPITALIZED)
@PartitionKey("{department}")
@RowKey("empid_{id:000000}")
public record Employee(String department, int id, String firstName, String lastName, int age, String email) {
    /** Returns an employee with default values for the other attributes. */
    public static Employee of(String department, int id, String lastName) {
        return new Employee(department, id, "Jun", lastName, 30, "e" + id + "@contoso.com");
    }

    public Employee withAge(int years) {
        return new Employee(department, id, firstName, lastName, years, email);
    }

    public Employee withEmail(String address) {
        return new Employee(department, id, firstName, lastName, age, address);
    }

    public Employee withLastName(String name) {
        return new Employee(department, id, firstName, name, age, email);
    }
}
