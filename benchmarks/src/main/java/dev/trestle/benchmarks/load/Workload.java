package dev.trestle.benchmarks.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A kind of request to measure. Those that only read come first, so that what the others leave for the server to tidy
 * up does not fall on them.
 */
public enum Workload {
    POINT_READ(64, 1, 1),
    RANGE_100(16, 100, 100),
    PARTITION_SCAN(4, 10, DataSet.PARTITION_ROWS),
    TABLE_SCAN(4, DataSet.PARTITION_ROWS, DataSet.PARTITION_ROWS),
    LOG_TAIL(64, 10, 10),
    MIXED(64, 1, 1),
    INSERT(64, 1, 1),
    TRANSACTION_100(64, 100, 100),
    /** Three requests: inserts an entity, reads it and deletes it. */
    ENTITY_CYCLE(64, 1, 1),
    UPSERT_MERGE(64, 1, 1),
    /** Three requests: reads an entity that was there before, deletes it and inserts it again. */
    ENTITY_RENEW(64, 1, 1),
    MESSAGE_PUT(64, 1, 1),
    /** Three requests: puts a message, takes the first of the queue and deletes that. */
    MESSAGE_CYCLE(64, 1, 1),
    /** As many puts as one request takes messages, that request, and a deletion for each of them. */
    MESSAGE_BATCH(64, QueueDialect.TAKEN_MAX, QueueDialect.TAKEN_MAX),
    BLOB_GET(64, 1, 1),
    /** A page of names that begin alike. */
    BLOB_LIST(4, BlobTarget.FOLDER_BLOBS, BlobTarget.FOLDER_BLOBS),
    BLOB_PUT(64, 1, 1);

    private final int usualConnections;
    private final int entities;
    private final int examined;

    Workload(int usualConnections, int entities, int examined) {
        this.usualConnections = usualConnections;
        this.entities = entities;
        this.examined = examined;
    }

    /** As it is called on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Workload> of(String word) {
        return Arrays.stream(values())
                .filter(workload -> workload.word().equals(word))
                .findFirst();
    }

    /** Whether it is asked of a queue instead of a table. */
    public boolean isOfQueues() {
        return this == MESSAGE_PUT || this == MESSAGE_CYCLE || this == MESSAGE_BATCH;
    }

    /** Whether it is asked of a container of blobs. */
    public boolean isOfBlobs() {
        return this == BLOB_GET || this == BLOB_LIST || this == BLOB_PUT;
    }

    /** Whether it is asked of a table. */
    public boolean isOfTables() {
        return !isOfQueues() && !isOfBlobs();
    }

    /** Those that are asked of a table. */
    public static List<Workload> ofTables() {
        return Arrays.stream(values()).filter(Workload::isOfTables).toList();
    }

    /** How many connections keep a small server busy without drowning it in large answers. */
    public int usualConnections() {
        return usualConnections;
    }

    /** Whether what was loaded is as it was afterwards: rows written again and again cost those who read them later. */
    boolean leavesLoadedRows() {
        return this != UPSERT_MERGE && this != ENTITY_RENEW;
    }

    /** The share of its requests that are one write to a table. */
    double writeShare() {
        return switch (this) {
            case INSERT, TRANSACTION_100, UPSERT_MERGE -> 1;
            case MIXED -> Requests.MIXED_WRITES_PERCENT / 100.0;
            default -> 0;
        };
    }

    /** The entities that one request writes or returns. */
    int entities() {
        return entities;
    }

    /** The entities that a request's cost is shared among: the ones it handles or, where most are rejected, those. */
    public int sharers() {
        return examined > entities ? examined - entities : entities;
    }
}
