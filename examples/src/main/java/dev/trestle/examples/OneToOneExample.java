package dev.trestle.examples;

import static dev.trestle.patterns.query.Filters.rowKey;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.util.List;

/** Stores an employee and a contract with restricted access under keys with a common prefix. */
final class OneToOneExample implements Example {
    sealed interface Personal permits Person, Contract {}

    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}")
    record Person(String department, int id, String lastName) implements Personal {}

    @PartitionKey("{department}")
    @RowKey("empid_{id:000000}_contract")
    record Contract(String department, int id, long salary) implements Personal {}

    @Override
    public String name() {
        return "one-to-one";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("staff");

        EntityTable<Personal> staff = EntityTable.of(client, Personal.class);
        staff.transact(List.of(
                staff.writes().insert(new Person("Sales", 223, "Jones")),
                staff.writes().insert(new Contract("Sales", 223, 50_000))));
        staff.insert(new Person("Sales", 224, "Hall"));

        Measured<List<Personal>> both = context.measure(() -> staff.partition("Sales")
                .where(rowKey().startsWith("empid_000223"))
                .list());

        boolean held =
                both.value().equals(List.of(new Person("Sales", 223, "Jones"), new Contract("Sales", 223, 50_000)));
        return ExampleResult.of("an employee and the contract", both, held);
    }
}
