package dev.trestle.examples;

import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.outbox.EventualTransaction;
import dev.trestle.patterns.outbox.MessageFormat;
import dev.trestle.patterns.outbox.TransactionQueue;
import dev.trestle.patterns.outbox.Worker;
import dev.trestle.patterns.outbox.WorkerOptions;

/** Moves employee 456 from the table of current employees to the archive. */
final class EventualTransactionExample implements Example {
    @Override
    public String name() {
        return "eventual-transaction";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        EntityTable<Employee> current = EntityTable.of(context.table("current"), Employee.class);
        EntityTable<Employee> archive = EntityTable.of(context.table("archive"), Employee.class);
        TransactionQueue<EntityKey> archiving = TransactionQueue.of(
                context.queue("archiving"), context.queue("archiving-poison"), MessageFormat.entityKey());
        EntityKey key = current.insert(Employee.of("Sales", 456, "Hall")).key();

        EventualTransaction<EntityKey> move = EventualTransaction.<EntityKey>of(
                        "copy", k -> current.find(k).ifPresent(found -> archive.upsert(found.value())))
                .then("delete", current::delete);

        archiving.begin(key);

        Measured<Worker.Outcome> work = context.measure(() -> {
            try (Worker<EntityKey> worker = archiving.worker(move, WorkerOptions.standard())) {
                return worker.performOne();
            }
        });
        move.perform(key); // idempotent: a retry after a failure changes nothing
        boolean held = work.value() == Worker.Outcome.DONE
                && current.find(key).isEmpty()
                && archive.find(key).isPresent();
        return ExampleResult.of("take the message, copy, delete, end", work, held);
    }
}
