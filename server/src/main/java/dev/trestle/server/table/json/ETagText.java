package dev.trestle.server.table.json;

import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;

/**
 * Formats an entity's version as two JSON members, ETag and Timestamp. Entities of one commit share a version, so its
 * text is cached. Mutable; not thread-safe.
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
            // The template already has the colons of the time as %3A.
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
