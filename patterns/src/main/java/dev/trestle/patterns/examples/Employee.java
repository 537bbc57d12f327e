package dev.trestle.patterns.examples;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.Naming;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;

/** An employee as the guide has them: found by department and number. */
@Entity(naming = Naming.CAPITALIZED)
@PartitionKey("{department}")
@RowKey("empid_{id:000000}")
public record Employee(String department, int id, String firstName, String lastName, int age, String email) {
    /** Somebody, for examples that do not care who. */
    public static Employee of(String department, int id, String lastName) {
        return new Employee(department, id, "Jun", lastName, 30, "e" + id + "@contoso.com");
    }

    public Employee aged(int years) {
        return new Employee(department, id, firstName, lastName, years, email);
    }

    public Employee reachedAt(String address) {
        return new Employee(department, id, firstName, lastName, age, address);
    }

    public Employee called(String name) {
        return new Employee(department, id, firstName, name, age, email);
    }
}
