package dev.trestle.patterns;

import dev.trestle.patterns.entity.Encrypted;
import dev.trestle.patterns.entity.Entity;
import dev.trestle.patterns.entity.Naming;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.util.Optional;

/** The guide's example: departments and their employees in one table and partition. */
public sealed interface Staff {
    String department();

    @Entity(naming = Naming.CAPITALIZED)
    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}")
    record Employee(String department, int id, String firstName, String lastName, int age, Optional<String> email)
            implements Staff {
        public static Employee of(String department, int id, String lastName) {
            return new Employee(department, id, "Jun", lastName, 30, Optional.of(lastName + "@contoso.com"));
        }

        public Employee withAge(int years) {
            return new Employee(department, id, firstName, lastName, years, email);
        }
    }

    @Entity(naming = Naming.CAPITALIZED)
    @PartitionKey("{department}")
    @RowKey("department")
    record Department(String department, int employeeCount) implements Staff {}

    /** A projection of an employee. */
    record Name(int id, String lastName) {}

    /** An employee with an encrypted salary. */
    @PartitionKey("{department}")
    @RowKey("{id:0000}")
    record Paid(String department, int id, @Encrypted String salary, String title) {}
}
