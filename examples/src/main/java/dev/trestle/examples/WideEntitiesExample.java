package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Extra;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.layout.WideEntity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts the messages that an employee sent on each day of a year. */
final class WideEntitiesExample implements Example {
    @PartitionKey("{department}")
    @RowKey("{employee:000000}_{year:0000}")
    record YearOfMessages(
            String department,
            int employee,
            int year,
            @Extra Map<String, Object> days) {
        YearOfMessages with(int day, int count) {
            Map<String, Object> more = new TreeMap<>(days);
            more.put(String.format("Day%03d", day), count);
            return new YearOfMessages(department, employee, year, more);
        }
    }

    @Override
    public String name() {
        return "wide-entities";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("messages");
        YearOfMessages year = new YearOfMessages("Sales", 223, 2014, Map.of());
        for (int day = 1; day <= 365; day++) {
            year = year.with(day, day % 7);
        }

        WideEntity<YearOfMessages> messages = WideEntity.of(client, EntityType.of(YearOfMessages.class));
        messages.insert(year);
        EntityKey key = new EntityKey("Sales", "000223_2014");
        messages.compute(key, current -> current.orElseThrow().with(200, 99));

        Measured<Optional<Stored<YearOfMessages>>> read = context.measure(() -> messages.find(key));
        boolean held = read.value().map(Stored::value).equals(Optional.of(year.with(200, 99)));
        return ExampleResult.of("365 counts in two entities", read, held);
    }
}
