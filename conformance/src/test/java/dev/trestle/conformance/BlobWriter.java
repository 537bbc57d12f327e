package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A client that writes to its own blobs, appends lines to a shared log, and records each step in a ledger. */
final class BlobWriter {
    static final String LOG = "log";

    private static final int BLOBS = 8;
    private static final int SMALL_BYTES_MAX = 100_000;
    private static final int MIB = 1 << 20;

    private final BlobLedger ledger;
    private final int number;
    private final Random random;

    BlobWriter(BlobLedger ledger, int number, Random random) {
        this.ledger = ledger;
        this.number = number;
        this.random = random;
    }

    /** Makes one change; fails if the server does not respond. */
    void write(BlobConnection blobs) throws IOException {
        String blob = "w" + number + "-" + random.nextInt(BLOBS);
        int choice = random.nextInt(100);
        if (choice < 35) {
            put(blobs, blob, content(random.nextInt(SMALL_BYTES_MAX)));
        } else if (choice < 45) {
            put(blobs, blob, content(MIB + random.nextInt(7 * MIB)));
        } else if (choice < 55) {
            commit(blobs, blob);
        } else if (choice < 60) {
            stage(blobs);
        } else if (choice < 85) {
            append(blobs);
        } else if (choice < 93) {
            delete(blobs, blob);
        } else if (ledger.has(blob)) {
            ledger.snapshotting(blob);
            ledger.snapshotted(blob, blobs.snapshot(blob));
        }
    }

    private void put(BlobConnection blobs, String blob, byte[] content) throws IOException {
        ledger.writing(blob, content);
        assertThat(blobs.put(blob, content)).isEqualTo(201);
        ledger.written(blob);
    }

    private void commit(BlobConnection blobs, String blob) throws IOException {
        List<String> ids = new ArrayList<>();
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            byte[] block = content(1 + random.nextInt(MIB));
            ids.add("block-" + i);
            assertThat(blobs.putBlock(blob, "block-" + i, block)).isEqualTo(201);
            whole.append(new String(block, StandardCharsets.US_ASCII));
        }
        ledger.writing(blob, whole.toString().getBytes(StandardCharsets.US_ASCII));
        assertThat(blobs.commit(blob, ids)).isEqualTo(201);
        ledger.written(blob);
    }

    /** Blocks that are never committed, of a blob that has nothing else. */
    private void stage(BlobConnection blobs) throws IOException {
        String blob = "staged-" + number;
        String id = "%08d".formatted(random.nextInt(100_000_000));
        byte[] block = content(1 + random.nextInt(MIB));
        assertThat(blobs.putBlock(blob, id, block)).isEqualTo(201);
        ledger.staged(blob, id + " " + block.length);
    }

    private void append(BlobConnection blobs) throws IOException {
        assertThat(blobs.createAppend(LOG)).isIn(201, 409);
        String line = ledger.newLine(number, random.nextInt(20_000));
        assertThat(blobs.append(LOG, (line + "\n").getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(201);
        ledger.appended(line);
    }

    private void delete(BlobConnection blobs, String blob) throws IOException {
        ledger.deleting(blob);
        assertThat(blobs.delete(blob)).isIn(202, 404);
        ledger.deleted(blob);
    }

    private byte[] content(int length) {
        byte[] content = new byte[length];
        random.nextBytes(content);
        for (int i = 0; i < length; i++) {
            content[i] = (byte) ('a' + (content[i] & 15));
        }
        return content;
    }
}
