package dev.trestle.examples;

import com.azure.data.tables.TableServiceClient;
import dev.trestle.examples.Meter.Measured;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.PartitionKey;
import dev.trestle.patterns.entity.RowKey;
import dev.trestle.patterns.layout.PeriodTables;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** Stores logins in one table per day and drops the tables of old days. */
final class HighVolumeDeleteExample implements Example {
    @PartitionKey("{user}")
    @RowKey("{at:ticks}")
    record Login(String user, Instant at, boolean succeeded) {}

    @Override
    public String name() {
        return "high-volume-delete";
    }

    @Override
    public ExampleResult run(ExampleContext context) {
        TableServiceClient service = context.tables();
        PeriodTables<Login> logins =
                PeriodTables.daily(service, context.named("logins"), EntityMapping.of(Login.class));
        context.onClose(() -> logins.dropBefore(LocalDate.of(9999, 1, 1)));

        Instant first = Instant.parse("2014-08-20T12:00:00Z");
        for (int day = 0; day < 4; day++) {
            Login login = new Login("jonesj", first.plusSeconds(86_400L * day), true);
            logins.on(LocalDate.of(2014, 8, 20 + day)).insert(login);
        }

        Measured<List<String>> dropped = context.measure(() -> logins.dropBefore(LocalDate.of(2014, 8, 22)));

        long left = logins.between(LocalDate.of(2014, 1, 1), LocalDate.of(2014, 12, 31)).stream()
                .mapToLong(table -> table.partition("jonesj").count())
                .sum();
        boolean held = dropped.value().size() == 2 && left == 2;
        return ExampleResult.of("delete all logins of two days", dropped, held);
    }
}
