package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.util.List;

/** Stores two subtypes, workers and customers, in one table. */
final class InheritanceExample implements Example {
    sealed interface Person permits Worker, Customer {
        String lastName();
    }

    @PartitionKey("{region}")
    @RowKey("{id:000000}")
    record Worker(String region, int id, String lastName, int age) implements Person {}

    @PartitionKey("{region}")
    @RowKey("{id:000000}")
    record Customer(String region, int id, String lastName, String company) implements Person {}

    @Override
    public String name() {
        return "inheritance";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("persons");

        EntityTable<Person> persons = EntityTable.of(client, Person.class);
        persons.insert(new Worker("West", 1, "Jones", 34));
        persons.insert(new Customer("West", 2, "Hall", "Contoso"));

        Measured<List<Person>> read =
                context.measure(() -> persons.partition("West").list());
        boolean held = read.value()
                .equals(List.of(new Worker("West", 1, "Jones", 34), new Customer("West", 2, "Hall", "Contoso")));
        return ExampleResult.of("persons of both kinds", read, held);
    }
}
