package dev.trestle.examples;

import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.Naming;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;

/** The guide's employee, keyed by department and number. */
@Entity(naming = Naming.CAPITALIZED)
@PartitionKey("{department}")
@RowKey("empid_{id:000000}")
record Employee(String department, int id, String firstName, String lastName, int age, String email) {
    /** Returns an employee with default values for the other attributes. */
    static Employee of(String department, int id, String lastName) {
        return new Employee(department, id, "Jun", lastName, 30, "e" + id + "@contoso.com");
    }

    Employee withEmail(String address) {
        return new Employee(department, id, firstName, lastName, age, address);
    }

    Employee withLastName(String name) {
        return new Employee(department, id, firstName, name, age, email);
    }
}
