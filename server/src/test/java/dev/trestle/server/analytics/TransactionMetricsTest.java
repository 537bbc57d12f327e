package dev.trestle.server.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import dev.trestle.model.StorageError;
import dev.trestle.server.pipeline.RequestDetails.Credentials;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TransactionMetricsTest {
    static Map<String, EdmValue> columns(byte[] row) {
        Map<String, EdmValue> columns = new HashMap<>();
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            columns.put(reader.name(), reader.value());
        }
        return columns;
    }

    private static double real(@Nullable EdmValue value) {
        return value instanceof EdmValue.Real real ? real.value() : Double.NaN;
    }

    private static TransactionMetrics some() {
        return new TransactionMetrics()
                .add(Requests.query().sending(10_000_000).made())
                .add(Requests.query().sending(30_000_000).made())
                .add(Requests.query().by(Credentials.SHARED_ACCESS_SIGNATURE).made())
                .add(Requests.query().failed(StorageError.SERVER_BUSY).made())
                .add(Requests.query().failed(StorageError.INTERNAL_ERROR).made());
    }

    @Test
    void requests_are_counted_by_how_they_ended_and_who_asked() {
        Map<String, EdmValue> row = columns(some().row());
        assertThat(row)
                .containsEntry("TotalRequests", new EdmValue.Int64(5))
                .containsEntry("TotalBillableRequests", new EdmValue.Int64(3))
                .containsEntry("TotalIngress", new EdmValue.Int64(1500))
                .containsEntry("TotalEgress", new EdmValue.Int64(6500))
                .containsEntry("Success", new EdmValue.Int64(2))
                .containsEntry("SASSuccess", new EdmValue.Int64(1))
                .containsEntry("AnonymousSuccess", new EdmValue.Int64(0))
                .containsEntry("ThrottlingError", new EdmValue.Int64(1))
                .containsEntry("ServerOtherError", new EdmValue.Int64(1))
                .containsEntry("AverageE2ELatency", new EdmValue.Real(40))
                .containsEntry("PercentSuccess", new EdmValue.Real(60))
                .containsEntry("PercentThrottlingError", new EdmValue.Real(20))
                // Of the four that were not throttled, one failed.
                .containsEntry("Availability", new EdmValue.Real(75));
        assertThat(real(row.get("AverageServerLatency"))).isCloseTo(80.0 / 3, within(1e-9));
        assertThat(row).hasSize(14 + 3 * 8);
    }

    @Test
    void a_stored_row_and_more_come_to_the_same_as_all_at_once() {
        TransactionMetrics later = new TransactionMetrics().add(Requests.query().made());
        byte[] inTwo = TransactionMetrics.ofRow(some().row()).add(later).row();
        byte[] atOnce = some().add(Requests.query().made()).row();
        Map<String, EdmValue> expected = columns(atOnce);
        columns(inTwo).forEach((name, value) -> {
            if (value instanceof EdmValue.Real real) {
                assertThat(real.value()).as(name).isCloseTo(real(expected.get(name)), within(1e-9));
            } else {
                assertThat(value).as(name).isEqualTo(expected.get(name));
            }
        });
    }

    @Test
    void a_service_nobody_asks_is_available() {
        assertThat(columns(new TransactionMetrics().row()))
                .containsEntry("Availability", new EdmValue.Real(100))
                .containsEntry("TotalRequests", new EdmValue.Int64(0))
                .containsEntry("AverageE2ELatency", new EdmValue.Real(0));
    }

    @Test
    void strangers_are_neither_charged_nor_held_against_the_service() {
        TransactionMetrics metrics = new TransactionMetrics()
                .add(Requests.query()
                        .by(Credentials.ANONYMOUS)
                        .failed(StorageError.NO_AUTHENTICATION_INFORMATION)
                        .made());
        assertThat(columns(metrics.row()))
                .containsEntry("AnonymousAuthorizationError", new EdmValue.Int64(1))
                .containsEntry("TotalBillableRequests", new EdmValue.Int64(0))
                .containsEntry("Availability", new EdmValue.Real(100));
    }
}
