package dev.trestle.examples;

import com.azure.data.tables.TableClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.layout.DataSeries;
import java.util.stream.IntStream;

/** Counts the messages that an employee sent in each hour of a day. */
final class DataSeriesExample implements Example {
    @Override
    public String name() {
        return "data-series";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableClient client = context.table("messages");

        DataSeries messages = DataSeries.of(client, "Hour", 24);
        EntityKey day = new EntityKey("Sales", "000223_20140822");
        messages.set(day, 9, 12);
        messages.add(day, 10, 1);

        IntStream.range(0, 8).parallel().forEach(i -> messages.add(day, 10, 1));
        Measured<long[]> read = context.measure(() -> messages.read(day));
        return ExampleResult.of("a whole day", read, read.value()[9] == 12 && read.value()[10] == 9);
    }
}
