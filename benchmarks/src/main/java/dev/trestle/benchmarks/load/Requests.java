package dev.trestle.benchmarks.load;

import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Chooses the requests of one connection: of a workload's kind, anywhere in its working set. */
final class Requests {
    private static final int MIXED_WRITES_PERCENT = 10;
    private static final long VISITS = 1_000_000;

    private final Dialect dialect;
    private final Optional<QueueDialect> queue;
    private final DataSet data;
    private final InsertKeys inserts;
    private final RandomGenerator random;

    Requests(Dialect dialect, Optional<QueueDialect> queue, DataSet data, InsertKeys inserts, RandomGenerator random) {
        this.dialect = dialect;
        this.queue = queue;
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
            case UPSERT_MERGE ->
                dialect.merge(partition, row(DataSet.PARTITION_ROWS), VISITS + random.nextLong(VISITS));
            case MESSAGE_PUT -> queue.orElseThrow().put();
            case MESSAGE_CYCLE -> this::messageCycle;
        };
    }

    private void entityCycle(Caller caller) throws IOException {
        long row = inserts.take(1);
        String partition = inserts.partitionKey(row, 1);
        caller.call(dialect.insert(partition, row));
        caller.call(dialect.pointRead(partition, row));
        caller.call(dialect.delete(partition, row));
    }

    private void messageCycle(Caller caller) throws IOException {
        QueueDialect messages = queue.orElseThrow();
        caller.call(messages.put());
        Request take = messages.take();
        Caller.Answer taken = caller.ask(take);
        String id = between(taken.text(), "<MessageId>", "</MessageId>");
        String receipt = between(taken.text(), "<PopReceipt>", "</PopReceipt>");
        if (taken.status() != take.status() || id.isEmpty()) {
            throw new Caller.WrongAnswer(
                    taken.status(),
                    "a message was asked for and answered " + taken.status() + Caller.errorCode(taken.text())
                            + (id.isEmpty() ? " without one" : ""));
        }
        caller.call(messages.remove(id, receipt));
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start);
        int to = text.indexOf(end);
        return from < 0 || to < 0 ? "" : text.substring(from + start.length(), to);
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
