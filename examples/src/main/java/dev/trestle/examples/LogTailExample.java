package dev.trestle.examples;

import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the ten latest expense claims of an employee. */
final class LogTailExample implements Example {
    @PartitionKey("{employee:000000}")
    @RowKey("{submitted:inverted}_{claim:000000}")
    record Expense(int employee, Instant submitted, int claim, long cents) {}

    @Override
    public String name() {
        return "log-tail";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        EntityTable<Expense> expenses = EntityTable.of(context.table("expenses"), Expense.class);
        Instant noon = Instant.parse("2014-08-22T12:00:00Z");
        IntStream.range(0, 30).forEach(i -> expenses.insert(new Expense(223, noon.plusSeconds(60L * i), i, 100L * i)));

        Measured<List<Expense>> latest =
                context.measure(() -> expenses.partition("000223").limit(10).list());

        List<Integer> expected = IntStream.range(0, 10).mapToObj(i -> 29 - i).toList();
        boolean held = latest.value().stream().map(Expense::claim).toList().equals(expected);
        return ExampleResult.of("the ten latest of 30 claims", latest, held);
    }
}
