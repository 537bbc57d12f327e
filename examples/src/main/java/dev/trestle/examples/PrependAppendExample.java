package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.layout.SpreadKeys;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Distributes accesses over four partitions per hour and reads them back in order. */
final class PrependAppendExample implements Example {
    @PartitionKey("{hour}_{employee:bucket4}")
    @RowKey("{at:ticks}_{employee:000000}")
    record Access(String hour, int employee, Instant at, String resource) {}

    @Override
    public String name() {
        return "prepend-append";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("accesses");
        Instant noon = Instant.parse("2014-08-22T12:00:00Z");

        EntityTable<Access> accesses = EntityTable.of(client, EntityMapping.of(Access.class));
        IntStream.range(0, 40)
                .forEach(i -> accesses.insert(new Access("2014082212", i, noon.plusSeconds(i), "printer")));
        SpreadKeys<Access> hour = SpreadKeys.of(accesses, 4, bucket -> "2014082212_" + bucket);

        Measured<List<Integer>> read = context.measure(
                () -> hour.stream().map(stored -> stored.value().employee()).toList());
        boolean held = read.value().equals(IntStream.range(0, 40).boxed().toList());
        return ExampleResult.of("one hour in order, from four partitions", read, held);
    }
}
