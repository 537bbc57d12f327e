package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.index.IndexEntitiesElsewhere;
import dev.trestle.patterns.index.IndexEntitiesInBlobs;
import dev.trestle.patterns.index.IndexEntitiesInPartition;
import dev.trestle.patterns.outbox.FollowedTable;
import dev.trestle.patterns.outbox.MessageFormat;
import dev.trestle.patterns.outbox.TransactionQueue;
import java.util.List;

/** Finds employees by last name, with each of the guide's three places for the index entities. */
final class IndexEntitiesExample implements Example {
    @Override
    public String name() {
        return "index-entities";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        EntityTable<Employee> table = EntityTable.of(context.table("employees"), Employee.class);

        IndexEntitiesInPartition<Employee> employees =
                IndexEntitiesInPartition.of(table, "lastname", Employee::lastName);
        employees.insert(Employee.of("Sales", 223, "Jones"));
        employees.insert(Employee.of("Sales", 152, "Jones"));
        employees.update(new EntityKey("Sales", "empid_000223"), e -> e.withLastName("Smith"));

        Measured<Integer> inPartition =
                context.measure(() -> employees.find("Sales", "Jones").size());

        EntityTable<Employee> all = EntityTable.of(context.table("all"), Employee.class);
        TableClient lists = context.table("lists");
        TransactionQueue<String> queue =
                TransactionQueue.of(context.queue("outbox"), context.queue("outbox-poison"), MessageFormat.text());

        IndexEntitiesElsewhere<Employee> byName = IndexEntitiesElsewhere.of(all, lists, "lastname", Employee::lastName);
        IndexEntitiesInBlobs<Employee> byNameInBlobs =
                IndexEntitiesInBlobs.of(all, context.container("lists"), "lastname", Employee::lastName);
        FollowedTable<Employee> everybody = FollowedTable.of(all, queue, List.of(byName, byNameInBlobs));

        everybody.insert(Employee.of("Sales", 223, "Jones"));
        everybody.insert(Employee.of("Marketing", 152, "Jones"));
        everybody.update(new EntityKey("Sales", "empid_000223"), e -> e.withLastName("Smith"));
        everybody.settle("Sales"); // in production: everybody.worker(...).start(4)
        everybody.settle("Marketing");

        Measured<Integer> elsewhere = context.measure(() -> byName.find("Jones").size());
        Measured<Integer> inBlobs =
                context.measure(() -> byNameInBlobs.find("Jones").size());
        boolean held = inPartition.value() == 1 && elsewhere.value() == 1 && inBlobs.value() == 1;
        return new ExampleResult(
                "find employees named Jones, by each option",
                inPartition.roundTrips() + elsewhere.roundTrips() + inBlobs.roundTrips(),
                inPartition.rowsExamined(),
                held && byName.find("Smith").size() == 1);
    }
}
