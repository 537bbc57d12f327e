package dev.trestle.server.analytics;

import dev.trestle.catalogue.Service;
import dev.trestle.catalogue.ServiceProperties;
import dev.trestle.catalogue.ServiceProperties.Metrics;
import dev.trestle.model.TableName;
import dev.trestle.server.pipeline.Operation;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The aggregation periods of the metrics. */
enum MetricsPeriod {
    HOUR(ChronoUnit.HOURS, "$MetricsHourPrimaryTransactions"),
    MINUTE(ChronoUnit.MINUTES, "$MetricsMinutePrimaryTransactions");

    private static final DateTimeFormatter PARTITION =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ChronoUnit unit;
    private final String tables;

    MetricsPeriod(ChronoUnit unit, String tables) {
        this.unit = unit;
        this.tables = tables;
    }

    Instant start(Instant time) {
        return time.truncatedTo(unit);
    }

    /** Returns the end of the period with this start. */
    Instant end(Instant start) {
        return start.plus(1, unit);
    }

    TableName table(Service service) {
        return new TableName(tables + Operation.capitalized(service.word()));
    }

    /** Returns the partition key of the period with this start. */
    static String partitionKey(Instant start) {
        return PARTITION.format(start);
    }

    Metrics settings(ServiceProperties properties) {
        return switch (this) {
            case HOUR -> properties.hourMetrics();
            case MINUTE -> properties.minuteMetrics();
        };
    }
}
