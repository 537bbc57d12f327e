package dev.trestle.benchmarks.load;

import dev.trestle.benchmarks.load.Request.Counted;

/** The requests of the bare loop. */
final class BareDialect implements Dialect {
    private final Request request = new Request();

    /** Whether the bare loop implements the workload. */
    static boolean speaks(Workload workload) {
        return switch (workload) {
            case POINT_READ, RANGE_100, TABLE_SCAN, LOG_TAIL, MIXED, INSERT, TRANSACTION_100 -> true;
            case PARTITION_SCAN, ENTITY_CYCLE, ENTITY_RENEW, UPSERT_MERGE -> false;
            case MESSAGE_PUT, MESSAGE_CYCLE, MESSAGE_BATCH, BLOB_GET, BLOB_LIST, BLOB_PUT -> false;
        };
    }

    @Override
    public Request pointRead(String partitionKey, long row) {
        request.newBody();
        head("GET", "/row/", partitionKey, row);
        return request.expect(200, Counted.ENTITIES, 1);
    }

    @Override
    public Request insert(String partitionKey, long row) {
        Entities.json(request.newBody(), partitionKey, row);
        head("POST", "/row/", partitionKey, row);
        return request.expect(204, Counted.NOTHING, 0);
    }

    @Override
    public Request delete(String partitionKey, long row) {
        throw new UnsupportedOperationException("the bare loop does not delete");
    }

    @Override
    public Request merge(String partitionKey, long row, long visits) {
        throw new UnsupportedOperationException("the bare loop does not merge");
    }

    @Override
    public Request transaction(String partitionKey, long firstRow) {
        ByteText body = request.newBody();
        ByteText value = new ByteText();
        for (long row = firstRow; row < firstRow + TRANSACTION_ROWS; row++) {
            String key = key(partitionKey, row);
            body.binary(key.length(), Short.BYTES).text(key);
            value.clear();
            Entities.json(value, partitionKey, row);
            body.binary(value.length(), Integer.BYTES).bytes(value.data(), 0, value.length());
        }
        request.newHead().text("POST /rows HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        return request.expect(204, Counted.NOTHING, 0);
    }

    @Override
    public Request load(String partitionKey, long firstRow) {
        return transaction(partitionKey, firstRow);
    }

    @Override
    public Request range(String partitionKey, long firstRow) {
        return scan(partitionKey, firstRow, RANGE_ROWS);
    }

    @Override
    public Request filter(String partitionKey, int age) {
        throw new UnsupportedOperationException("the bare loop does not filter");
    }

    @Override
    public Request page(String partitionKey) {
        return scan(partitionKey, 0, DataSet.PARTITION_ROWS);
    }

    @Override
    public Request tail(String partitionKey) {
        return scan(partitionKey, 0, TAIL_ROWS);
    }

    private Request scan(String partitionKey, long firstRow, int rows) {
        request.newBody();
        head("GET", "/scan/" + rows + "/", partitionKey, firstRow);
        return request.expect(200, Counted.ENTITIES, rows);
    }

    private void head(String method, String route, String partitionKey, long row) {
        request.newHead()
                .text(method)
                .text(" ")
                .text(route)
                .text(key(partitionKey, row))
                .text(" HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    }

    private static String key(String partitionKey, long row) {
        return partitionKey + "," + Entities.rowKey(row);
    }
}
