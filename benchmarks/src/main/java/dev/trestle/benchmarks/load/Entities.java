package dev.trestle.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The entities of the workloads: ten properties of mixed types, about 600 bytes of JSON. Each {@code Age} from 0 to 99
 * occurs ten times in a thousand consecutive rows.
 */
public final class Entities {
    static final int AGES = 100;
    private static final String ROW_ZEROS = "0000000000";

    private static final byte[] PARTITION_KEY = bytes("{\"PartitionKey\":\"");
    private static final byte[] ROW_KEY = bytes("\",\"RowKey\":\"row");
    private static final byte[] NAME = bytes("\",\"Name\":\"Customer ");
    private static final byte[] EMAIL = bytes("\",\"Email\":\"customer");
    private static final byte[] AGE = bytes("@example.com\",\"Age\":");
    private static final byte[] BALANCE = bytes(",\"Balance\":");
    private static final byte[] ACTIVE = bytes(".25,\"Active\":true");
    private static final byte[] INACTIVE = bytes(".25,\"Active\":false");
    private static final byte[] VISITS =
            bytes(",\"Created@odata.type\":\"Edm.DateTime\",\"Created\":\"2026-01-31T23:59:59.1234567Z\""
                    + ",\"Visits@odata.type\":\"Edm.Int64\",\"Visits\":\"");
    private static final byte[] REST = bytes(
            "\",\"Id@odata.type\":\"Edm.Guid\",\"Id\":\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\""
                    + ",\"Address\":\"12 Long Street, Some Town, Some County, Some Country, Postal Code 12345\""
                    + ",\"Notes\":\"The quick brown fox jumps over the lazy dog, and over it again, until it is tired.\"}");

    private Entities() {}

    public static String partitionKey(int partition) {
        return String.format(Locale.ROOT, "partition%06d", partition);
    }

    public static String rowKey(long row) {
        String digits = Long.toString(row);
        return "row" + ROW_ZEROS.substring(digits.length()) + digits;
    }

    /** Returns an entity as JSON. */
    public static byte[] json(String partitionKey, long row) {
        ByteText out = new ByteText();
        json(out, partitionKey, row);
        return Arrays.copyOf(out.data(), out.length());
    }

    static void json(ByteText out, String partitionKey, long row) {
        out.bytes(PARTITION_KEY).text(partitionKey);
        out.bytes(ROW_KEY).padded(row, ROW_ZEROS.length());
        out.bytes(NAME).number(row);
        out.bytes(EMAIL).number(row);
        out.bytes(AGE).number(row % AGES);
        out.bytes(BALANCE).number(row);
        out.bytes(row % 2 == 0 ? ACTIVE : INACTIVE);
        out.bytes(VISITS).number(row * 7);
        out.bytes(REST);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
