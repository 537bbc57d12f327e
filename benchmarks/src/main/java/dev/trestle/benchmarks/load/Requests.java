package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses the requests of one connection: uniformly at random over the whole data set. */
final class Requests {
    static final int MIXED_WRITES_PERCENT = 10;
    private static final long VISITS = 1_000_000;
    private static final int TAKEN = 200;
    private static final Pattern MESSAGE =
            Pattern.compile("<MessageId>([^<]+)</MessageId>.*?<PopReceipt>([^<]+)</PopReceipt>");

    private final Dialect dialect;
    private final Optional<QueueDialect> queue;
    private final Optional<BlobTarget> container;
    private final Optional<BlobDialect> blobs;
    private final DataSet data;
    private final InsertKeys inserts;
    private final RandomGenerator random;

    Requests(
            Dialect dialect,
            Optional<QueueDialect> queue,
            Optional<BlobTarget> container,
            DataSet data,
            InsertKeys inserts,
            RandomGenerator random) {
        this.dialect = dialect;
        this.queue = queue;
        this.container = container;
        this.blobs = container.map(BlobTarget::newDialect);
        this.data = data;
        this.inserts = inserts;
        this.random = random;
    }

    Unit next(Workload workload) {
        String partition = data.anyPartitionKey(random);
        return switch (workload) {
            case POINT_READ -> pointRead(partition);
            case RANGE_100 -> dialect.range(partition, row(DataSet.PARTITION_ROWS - Dialect.RANGE_ROWS + 1));
            case PARTITION_SCAN -> dialect.filter(partition, random.nextInt(Entities.AGES));
            case TABLE_SCAN -> dialect.page(partition);
            case LOG_TAIL -> dialect.tail(partition);
            case MIXED -> random.nextInt(100) < MIXED_WRITES_PERCENT ? insert() : pointRead(partition);
            case INSERT -> insert();
            case TRANSACTION_100 -> transaction();
            case ENTITY_CYCLE -> this::entityCycle;
            case ENTITY_RENEW -> this::entityRenew;
            case UPSERT_MERGE ->
                dialect.merge(partition, row(DataSet.PARTITION_ROWS), VISITS + random.nextLong(VISITS));
            case MESSAGE_PUT -> queue.orElseThrow().put();
            case MESSAGE_CYCLE -> caller -> messageCycle(caller, 1);
            case MESSAGE_BATCH -> caller -> messageCycle(caller, QueueDialect.TAKEN_MAX);
            case BLOB_GET -> blobs.orElseThrow().get(container.orElseThrow().anyName(random));
            case BLOB_LIST ->
                blobs.orElseThrow().list(container.orElseThrow().anyFolder(random), BlobTarget.FOLDER_BLOBS);
            case BLOB_PUT -> putBlob();
        };
    }

    private void entityCycle(Caller caller) throws IOException {
        long row = inserts.take(1);
        String partition = inserts.partitionKey(row, 1);
        caller.call(dialect.insert(partition, row));
        caller.call(dialect.pointRead(partition, row));
        caller.call(dialect.delete(partition, row));
    }

    /** Takes one entity after the other, so that no two connections change the same one. */
    private void entityRenew(Caller caller) throws IOException {
        long entity = inserts.take(1) % data.entities();
        String partition = data.partitionKey((int) (entity / DataSet.PARTITION_ROWS));
        long row = entity % DataSet.PARTITION_ROWS;
        caller.call(dialect.pointRead(partition, row));
        caller.call(dialect.delete(partition, row));
        caller.call(dialect.insert(partition, row));
    }

    /** Puts messages, receives as many in one request, and deletes those. */
    private void messageCycle(Caller caller, int messages) throws IOException {
        QueueDialect dialect = queue.orElseThrow();
        for (int i = 0; i < messages; i++) {
            caller.call(dialect.put());
        }
        Caller.Response taken = caller.exchangeWhole(dialect.take(messages));
        Matcher message = MESSAGE.matcher(taken.text());
        int found = 0;
        while (message.find()) {
            found++;
            caller.call(dialect.remove(message.group(1), message.group(2)));
        }
        if (taken.status() != TAKEN || found == 0) {
            throw new Caller.UnexpectedResponse(
                    taken.status(),
                    "receiving messages returned status " + taken.status() + Caller.errorCode(taken.text()) + " with "
                            + found + " of them");
        }
    }

    private Request pointRead(String partition) {
        return dialect.pointRead(partition, row(DataSet.PARTITION_ROWS));
    }

    private Request insert() {
        long row = inserts.take(1);
        return dialect.insert(inserts.partitionKey(row, 1), row);
    }

    private Request putBlob() {
        long row = inserts.take(1);
        return blobs.orElseThrow().put(inserts.partitionKey(row, 1) + "/" + row);
    }

    private Request transaction() {
        long row = inserts.take(Dialect.TRANSACTION_ROWS);
        return dialect.transaction(inserts.partitionKey(row, Dialect.TRANSACTION_ROWS), row);
    }

    private long row(int bound) {
        return random.nextInt(bound);
    }
}
