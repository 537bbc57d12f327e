package dev.trestle.benchmarks.load;

import java.util.random.RandomGenerator;

/** Chooses the requests of one connection: of a workload's kind, anywhere in its working set. */
final class Requests {
    private static final int MIXED_WRITES_PERCENT = 10;
    private static final long VISITS = 1_000_000;

    private final Dialect dialect;
    private final DataSet data;
    private final InsertKeys inserts;
    private final RandomGenerator random;

    Requests(Dialect dialect, DataSet data, InsertKeys inserts, RandomGenerator random) {
        this.dialect = dialect;
        this.data = data;
        this.inserts = inserts;
        this.random = random;
    }

    Request next(Workload workload) {
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
            case UPSERT_MERGE ->
                dialect.merge(partition, row(DataSet.PARTITION_ROWS), VISITS + random.nextLong(VISITS));
        };
    }

    private Request pointRead(String partition) {
        return dialect.pointRead(partition, row(DataSet.PARTITION_ROWS));
    }

    private Request insert() {
        long row = inserts.take(1);
        return dialect.insert(inserts.partitionKey(row, 1), row);
    }

    private Request transaction() {
        long row = inserts.take(Dialect.TRANSACTION_ROWS);
        return dialect.transaction(inserts.partitionKey(row, Dialect.TRANSACTION_ROWS), row);
    }

    private long row(int bound) {
        return random.nextInt(bound);
    }
}
