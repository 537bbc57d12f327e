package dev.trestle.benchmarks;

import java.util.Locale;

/** The entities of the workloads: ten properties of mixed types, about 600 bytes as JSON. */
final class Entities {
    private Entities() {}

    static String partitionKey(int partition) {
        return String.format(Locale.ROOT, "partition%06d", partition);
    }

    static String rowKey(int row) {
        return String.format(Locale.ROOT, "row%010d", row);
    }

    static String json(int partition, int row) {
        return "{\"PartitionKey\":\"" + partitionKey(partition) + "\",\"RowKey\":\"" + rowKey(row)
                + "\",\"Name\":\"Customer "
                + row + "\",\"Email\":\"customer" + row + "@example.com\",\"Age\":" + (row % 90)
                + ",\"Balance\":" + row + ".25,\"Active\":" + (row % 2 == 0)
                + ",\"Created@odata.type\":\"Edm.DateTime\",\"Created\":\"2026-01-31T23:59:59.1234567Z\""
                + ",\"Visits@odata.type\":\"Edm.Int64\",\"Visits\":\"" + (row * 7L) + "\""
                + ",\"Id@odata.type\":\"Edm.Guid\",\"Id\":\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\""
                + ",\"Address\":\"12 Long Street, Some Town, Some County, Some Country, Postal Code 12345\""
                + ",\"Notes\":\"The quick brown fox jumps over the lazy dog, and over it again, until it is tired.\"}";
    }
}
