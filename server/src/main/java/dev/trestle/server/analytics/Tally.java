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
 * What requests of one time come to, with the columns of "Storage Analytics metrics table schema". Two can be added up,
 * also when one of them was stored: averages and percentages are worked out again from what they were made of. Not for
 * more than one thread at a time.
 */
final class Tally {
    private static final List<CredentialKind> COUNTED =
            List.of(CredentialKind.OWNER, CredentialKind.ANONYMOUS, CredentialKind.SAS);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<CredentialKind, Map<RequestStatus, Long>> counts = new EnumMap<>(CredentialKind.class);
    private long ingressBytes;
    private long egressBytes;

    /** Of successful requests only. */
    private double endToEndMillis;

    private double serverMillis;

    Tally add(RequestSummary request) {
        CredentialKind requester =
                CredentialKind.of(request.details().credentials()).counted();
        RequestStatus status = RequestStatus.of(request);
        count(requester, status, 1);
        ingressBytes += request.details().headBytes() + request.bytesIn();
        egressBytes += request.details().responseHeadBytes() + request.bytesOut();
        if (status == RequestStatus.SUCCESS) {
            endToEndMillis += request.nanos() / NANOS_PER_MILLI;
            serverMillis += Math.max(0, request.nanos() - request.details().sendingNanos()) / NANOS_PER_MILLI;
        }
        return this;
    }

    Tally add(Tally other) {
        for (CredentialKind requester : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                count(requester, status, other.count(requester, status));
            }
        }
        ingressBytes += other.ingressBytes;
        egressBytes += other.egressBytes;
        endToEndMillis += other.endToEndMillis;
        serverMillis += other.serverMillis;
        return this;
    }

    private void count(CredentialKind requester, RequestStatus status, long more) {
        counts.computeIfAbsent(requester, first -> new EnumMap<>(RequestStatus.class))
                .merge(status, more, Long::sum);
    }

    private long count(CredentialKind requester, RequestStatus status) {
        return counts.getOrDefault(requester, Map.of()).getOrDefault(status, 0L);
    }

    long total() {
        return total((requester, status) -> true);
    }

    private interface Choice {
        boolean has(CredentialKind requester, RequestStatus status);
    }

    private long total(Choice choice) {
        long total = 0;
        for (CredentialKind requester : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                if (choice.has(requester, status)) {
                    total += count(requester, status);
                }
            }
        }
        return total;
    }

    private long total(RequestStatus wanted) {
        return total((requester, status) -> status == wanted);
    }

    byte[] row() {
        long total = total();
        long successes = total(RequestStatus.SUCCESS);
        long billable = total((requester, status) -> status.isBillable(requester));
        long applicable = total((requester, status) -> status.isApplicable(requester));
        RowBuilder row = new RowBuilder();
        row.put("TotalIngress", new EdmValue.Int64(ingressBytes));
        row.put("TotalEgress", new EdmValue.Int64(egressBytes));
        row.put("TotalRequests", new EdmValue.Int64(total));
        row.put("TotalBillableRequests", new EdmValue.Int64(billable));
        // Where nobody asked, nobody was turned away.
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
        for (CredentialKind requester : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                row.put(column(requester, status), new EdmValue.Int64(count(requester, status)));
            }
        }
        return row.build();
    }

    private static String column(CredentialKind requester, RequestStatus status) {
        return requester.column() + status.word();
    }

    private static double average(double sum, long of) {
        return of == 0 ? 0 : sum / of;
    }

    private void percent(RowBuilder row, String name, long part) {
        long total = total();
        row.put(name, new EdmValue.Real(total == 0 ? 0 : 100.0 * part / total));
    }

    /** What a stored row was made of. */
    static Tally ofRow(byte[] row) {
        Map<String, EdmValue> columns = new HashMap<>();
        RowReader reader = new RowReader().reset(row);
        while (reader.next()) {
            columns.put(reader.name(), reader.value());
        }
        Tally tally = new Tally();
        for (CredentialKind requester : COUNTED) {
            for (RequestStatus status : RequestStatus.values()) {
                tally.count(requester, status, number(columns, column(requester, status)));
            }
        }
        tally.ingressBytes = number(columns, "TotalIngress");
        tally.egressBytes = number(columns, "TotalEgress");
        long successes = tally.total(RequestStatus.SUCCESS);
        tally.endToEndMillis = real(columns, "AverageE2ELatency") * successes;
        tally.serverMillis = real(columns, "AverageServerLatency") * successes;
        return tally;
    }

    private static long number(Map<String, EdmValue> columns, String name) {
        return columns.get(name) instanceof EdmValue.Int64 number ? number.value() : 0;
    }

    private static double real(Map<String, EdmValue> columns, String name) {
        return columns.get(name) instanceof EdmValue.Real number ? number.value() : 0;
    }
}
