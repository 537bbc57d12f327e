package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.index.Copy;
import dev.trestle.patterns.index.InterPartitionIndex;
import dev.trestle.patterns.outbox.FollowedTable;
import dev.trestle.patterns.outbox.MessageFormat;
import dev.trestle.patterns.outbox.TransactionQueue;
import dev.trestle.patterns.outbox.Worker;
import dev.trestle.patterns.outbox.WorkerOptions;
import java.util.List;
import java.util.Optional;

/** Finds employees by number in one partition and by e-mail address in another. */
final class InterPartitionIndexExample implements Example {
    @Override
    public String name() {
        return "inter-partition-index";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("employees");
        TransactionQueue<String> queue =
                TransactionQueue.of(context.queue("outbox"), context.queue("outbox-poison"), MessageFormat.text());

        EntityType<Employee> employee = EntityType.of(Employee.class).keyedBy("empid_{department}", "{id:000000}");
        InterPartitionIndex<Employee, Employee> byEmail =
                InterPartitionIndex.of(client, Copy.of(employee.keyedBy("email_{department}", "{email}")));
        FollowedTable<Employee> employees = FollowedTable.of(EntityTable.of(client, employee), queue, List.of(byEmail));

        try (Worker<String> worker = employees.worker(WorkerOptions.standard())) {
            employees.insert(new Employee("Sales", 223, "Jun", "Jones", 34, "jonesj@contoso.com"));
            worker.performOne(); // in production: worker.start(4)

            employees.update(new EntityKey("empid_Sales", "000223"), e -> e.withEmail("jun@contoso.com"));
            worker.performOne();
        }

        Measured<Optional<Stored<Employee>>> found =
                context.measure(() -> byEmail.find(new EntityKey("email_Sales", "jun@contoso.com")));
        boolean held = found.value().map(stored -> stored.value().id()).equals(Optional.of(223))
                && byEmail.find(new EntityKey("email_Sales", "jonesj@contoso.com"))
                        .isEmpty();
        return ExampleResult.of("find by e-mail address", found, held);
    }
}
