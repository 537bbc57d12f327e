package dev.trestle.benchmarks.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A kind of request to measure. Reads come first, so that flushes and compactions after writes do not affect them.
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
    /** Three requests: reads a loaded entity, deletes it and inserts it again. */
    ENTITY_RENEW(64, 1, 1),
    MESSAGE_PUT(64, 1, 1),
    /** Three requests: puts a message, receives the first of the queue and deletes that. */
    MESSAGE_CYCLE(64, 1, 1),
    /** Puts a batch of messages, receives them in one request, and deletes each of them. */
    MESSAGE_BATCH(64, QueueDialect.TAKEN_MAX, QueueDialect.TAKEN_MAX),
    BLOB_GET(64, 1, 1),
    /** A page of names with one prefix. */
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

    /** Returns the name on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Workload> of(String word) {
        return Arrays.stream(values())
                .filter(workload -> workload.word().equals(word))
                .findFirst();
    }

    /** Whether it uses a queue. */
    public boolean isOfQueues() {
        return this == MESSAGE_PUT || this == MESSAGE_CYCLE || this == MESSAGE_BATCH;
    }

    /** Whether it uses a container of blobs. */
    public boolean isOfBlobs() {
        return this == BLOB_GET || this == BLOB_LIST || this == BLOB_PUT;
    }

    /** Whether it uses a table. */
    public boolean isOfTables() {
        return !isOfQueues() && !isOfBlobs();
    }

    /** Returns the workloads that use a table. */
    public static List<Workload> ofTables() {
        return Arrays.stream(values()).filter(Workload::isOfTables).toList();
    }

    /** The default number of connections: enough to saturate a small server, fewer for large responses. */
    public int usualConnections() {
        return usualConnections;
    }

    /** Whether it leaves the loaded rows unchanged: rows that were overwritten often make later reads more expensive. */
    boolean leavesLoadedRows() {
        return this != UPSERT_MERGE && this != ENTITY_RENEW;
    }

    /** Returns the share of requests that write to a table. */
    double writeShare() {
        return switch (this) {
            case INSERT, TRANSACTION_100, UPSERT_MERGE -> 1;
            case MIXED -> Requests.MIXED_WRITES_PERCENT / 100.0;
            default -> 0;
        };
    }

    /** Returns the number of entities that one request writes or returns. */
    int entities() {
        return entities;
    }

    /** Returns the number of entities that share the cost of a request: returned or, if most are rejected, rejected ones. */
    public int sharers() {
        return examined > entities ? examined - entities : entities;
    }
}
