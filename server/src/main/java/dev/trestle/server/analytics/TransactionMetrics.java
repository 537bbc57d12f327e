package dev.trestle.server.analytics;

import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import dev.trestle.server.pipeline.RequestSummary;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of the requests in one period, with the columns of "Storage Analytics metrics table schema". Metrics
 * can be added to each other, including stored ones: averages and percentages are recomputed from totals. Not
 * thread-safe.
 */
final class TransactionMetrics {
    private static final List<CredentialKind> COUNTED =
            List.of(CredentialKind.OWNER, CredentialKind.ANONYMOUS, CredentialKind.SAS);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<CredentialKind, Map<RequestStatus, Long>> counts = new EnumMap<>(CredentialKind.class);
    private long ingressBytes;
    private long egressBytes;

    /** The total latency of successful requests. */
    private double endToEndMillis;

    private double serverMillis;

    TransactionMetrics add(RequestSummary request) {
        CredentialKind credential =
                CredentialKind.of(request.details().credentials()).counted();
        RequestStatus status = RequestStatus.of(request);
        count(credential, status, 1);
        ingressBytes += request.details().headBytes() + request.bytesIn();
        egressBytes += request.details().responseHeadBytes() + request.bytesOut();
        if (status == RequestStatus.SUCCESS) {
            endToEndMillis += request.nanos() / NANOS_PER_MILLI;
            serverMillis += Math.max(0, request.nanos() - request.details().sendingNanos()) / NANOS_PER_MILLI;
        }
        return this;
    }

    TransactionMetrics add(TransactionMetrics other) {
        for (CredentialKind credential : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                count(credential, status, other.count(credential, status));
            }
        }
        ingressBytes += other.ingressBytes;
        egressBytes += other.egressBytes;
        endToEndMillis += other.endToEndMillis;
        serverMillis += other.serverMillis;
        return this;
    }

    private void count(CredentialKind credential, RequestStatus status, long more) {
        counts.computeIfAbsent(credential, first -> new EnumMap<>(RequestStatus.class))
                .merge(status, more, Long::sum);
    }

    private long count(CredentialKind credential, RequestStatus status) {
        return counts.getOrDefault(credential, Map.of()).getOrDefault(status, 0L);
    }

    long total() {
        return total((credential, status) -> true);
    }

    private interface Choice {
        boolean has(CredentialKind credential, RequestStatus status);
    }

    private long total(Choice choice) {
        long total = 0;
        for (CredentialKind credential : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                if (choice.has(credential, status)) {
                    total += count(credential, status);
                }
            }
        }
        return total;
    }

    private long total(RequestStatus wanted) {
        return total((credential, status) -> status == wanted);
    }

    byte[] row() {
        long total = total();
        long successes = total(RequestStatus.SUCCESS);
        long billable = total((credential, status) -> status.isBillable(credential));
        long applicable = total((credential, status) -> status.isApplicable(credential));
        RowBuilder row = new RowBuilder();
        row.put("TotalIngress", new EdmValue.Int64(ingressBytes));
        row.put("TotalEgress", new EdmValue.Int64(egressBytes));
        row.put("TotalRequests", new EdmValue.Int64(total));
        row.put("TotalBillableRequests", new EdmValue.Int64(billable));
        // Without requests, the service counts as available.
        row.put("Availability", new EdmValue.Real(applicable == 0 ? 100 : 100.0 * billable / applicable));
        row.put("AverageE2ELatency", new EdmValue.Real(average(endToEndMillis, successes)));
        row.put("AverageServerLatency", new EdmValue.Real(average(serverMillis, successes)));
        percent(row, "PercentSuccess", successes);
        percent(row, "PercentThrottlingError", total(RequestStatus.THROTTLING_ERROR));
        percent(
                row,
                "PercentTimeoutError",
                total(RequestStatus.CLIENT_TIMEOUT_ERROR) + total(RequestStatus.SERVER_TIMEOUT_ERROR));
        percent(row, "PercentServerOtherError", total(RequestStatus.SERVER_OTHER_ERROR));
        percent(row, "PercentClientOtherError", total(RequestStatus.CLIENT_OTHER_ERROR));
        percent(row, "PercentAuthorizationError", total(RequestStatus.AUTHORIZATION_ERROR));
        percent(row, "PercentNetworkError", total(RequestStatus.NETWORK_ERROR));
        for (CredentialKind credential : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                row.put(column(credential, status), new EdmValue.Int64(count(credential, status)));
            }
        }
        return row.build();
    }

    private static String column(CredentialKind credential, RequestStatus status) {
        return credential.column() + status.word();
    }

    private static double average(double sum, long of) {
        return of == 0 ? 0 : sum / of;
    }

    private void percent(RowBuilder row, String name, long part) {
        long total = total();
        row.put(name, new EdmValue.Real(total == 0 ? 0 : 100.0 * part / total));
    }

    /** Decodes a stored row. */
    static TransactionMetrics ofRow(byte[] row) {
        Map<String, EdmValue> columns = new HashMap<>();
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            columns.put(reader.name(), reader.value());
        }
        TransactionMetrics metrics = new TransactionMetrics();
        for (CredentialKind credential : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                metrics.count(credential, status, number(columns, column(credential, status)));
            }
        }
        metrics.ingressBytes = number(columns, "TotalIngress");
        metrics.egressBytes = number(columns, "TotalEgress");
        long successes = metrics.total(RequestStatus.SUCCESS);
        metrics.endToEndMillis = real(columns, "AverageE2ELatency") * successes;
        metrics.serverMillis = real(columns, "AverageServerLatency") * successes;
        return metrics;
    }

    private static long number(Map<String, EdmValue> columns, String name) {
        return columns.get(name) instanceof EdmValue.Int64 number ? number.value() : 0;
    }

    private static double real(Map<String, EdmValue> columns, String name) {
        return columns.get(name) instanceof EdmValue.Real number ? number.value() : 0;
    }
}
