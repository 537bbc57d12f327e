package dev.trestle.server.table.json;

import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;

/**
 * An entity's version as its two members of JSON, entity tag and time stamp. Entities written together share a version,
 * so it is written out once and copied. Mutable, for one thread.
 */
public final class ETagText {
    private final byte[] etag = "\"odata.etag\":\"W/\\\"datetime'YYYY-MM-DDThh%3Amm%3Ass.fffffffZ'\\\"\""
            .getBytes(StandardCharsets.US_ASCII);
    private final byte[] timestamp =
            "\"Timestamp\":\"YYYY-MM-DDThh:mm:ss.fffffffZ\"".getBytes(StandardCharsets.US_ASCII);
    private final int etagTime = "\"odata.etag\":\"W/\\\"datetime'".length();
    private final int timestampTime = "\"Timestamp\":\"".length();
    private long written = -1;

    public ETagText of(long version) {
        if (version != written) {
            Ticks.format(version, true, timestamp, timestampTime);
            // The colons of the time are %3A in the tag, and stand there already.
            System.arraycopy(timestamp, timestampTime, etag, etagTime, 13);
            System.arraycopy(timestamp, timestampTime + 14, etag, etagTime + 16, 2);
            System.arraycopy(timestamp, timestampTime + 17, etag, etagTime + 21, 10);
            written = version;
        }
        return this;
    }

    /** {@code "odata.etag":"W/\"datetime'...'\""}. */
    public byte[] etag() {
        return etag;
    }

    /** {@code "Timestamp":"..."}. */
    public byte[] timestamp() {
        return timestamp;
    }
}
