package dev.trestle.benchmarks.load;

import dev.trestle.benchmarks.load.Request.Counted;
import java.util.Optional;

/** The requests of the Table protocol, as the SDKs write them. */
final class TableDialect implements Dialect {
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String SILENT = "Prefer: return-no-content\r\n";
    private static final String ACCEPT = "Accept: application/json;odata=minimalmetadata\r\n";
    private static final String DATA_VERSION = "DataServiceVersion: 3.0\r\n";
    private static final String VERSION = "x-ms-version: 2019-02-02\r\n";

    /** The entity that marks a table as created by this command, and records how many entities were loaded. */
    private static final String MARKER = "(PartitionKey='benchmark',RowKey='loaded')";

    private final String host;
    private final String base;
    private final String basePath;
    private final String table;
    private final String tablePath;
    private final String sas;
    private final Optional<SharedKeyLite> signer;
    private final Request request = new Request();

    TableDialect(Endpoint endpoint, String table) {
        this.host = endpoint.address().hostAndPort();
        this.base = endpoint.base();
        this.basePath = endpoint.basePath();
        this.table = table;
        this.tablePath = basePath + "/" + table;
        this.signer = endpoint.credential().newSigner();
        this.sas = endpoint.credential().query();
    }

    Request createTable() {
        request.newBody().text("{\"TableName\":\"" + table + "\"}");
        return finish("POST", basePath + "/Tables", "", JSON + SILENT, 204, Counted.NOTHING, 0);
    }

    Request deleteTable() {
        request.newBody();
        return finish("DELETE", basePath + "/Tables('" + table + "')", "", "", 204, Counted.NOTHING, 0);
    }

    Request readMarker() {
        request.newBody();
        return finish("GET", tablePath + MARKER, "", "", 200, Counted.NOTHING, 0);
    }

    Request writeMarker(long entities) {
        request.newBody().text("{\"Entities@odata.type\":\"Edm.Int64\",\"Entities\":\"" + entities + "\"}");
        return finish("PUT", tablePath + MARKER, "", JSON, 204, Counted.NOTHING, 0);
    }

    @Override
    public Request pointRead(String partitionKey, long row) {
        request.newBody();
        return finish("GET", entityPath(partitionKey, row), "", "", 200, Counted.ENTITIES, 1);
    }

    @Override
    public Request insert(String partitionKey, long row) {
        Entities.json(request.newBody(), partitionKey, row);
        return finish("POST", tablePath, "", JSON + SILENT, 204, Counted.NOTHING, 0);
    }

    @Override
    public Request delete(String partitionKey, long row) {
        request.newBody();
        return finish("DELETE", entityPath(partitionKey, row), "", "If-Match: *\r\n", 204, Counted.NOTHING, 0);
    }

    @Override
    public Request merge(String partitionKey, long row, long visits) {
        request.newBody()
                .text("{\"Visits@odata.type\":\"Edm.Int64\",\"Visits\":\"")
                .number(visits)
                .text("\"}");
        return finish("PATCH", entityPath(partitionKey, row), "", JSON, 204, Counted.NOTHING, 0);
    }

    @Override
    public Request transaction(String partitionKey, long firstRow) {
        return batch(partitionKey, firstRow, true);
    }

    @Override
    public Request load(String partitionKey, long firstRow) {
        return batch(partitionKey, firstRow, false);
    }

    private Request batch(String partitionKey, long firstRow, boolean insert) {
        ByteText body = request.newBody();
        body.text("--batch_b\r\nContent-Type: multipart/mixed; boundary=changeset_c\r\n\r\n");
        for (long row = firstRow; row < firstRow + TRANSACTION_ROWS; row++) {
            body.text("--changeset_c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
                    .text(insert ? "POST " : "PUT ")
                    .text(base)
                    .text("/")
                    .text(table);
            if (!insert) {
                body.text(entityKey(partitionKey, row));
            }
            body.text(" HTTP/1.1\r\n")
                    .text(JSON)
                    .text(ACCEPT)
                    .text(SILENT)
                    .text(DATA_VERSION)
                    .text("\r\n");
            Entities.json(body, partitionKey, row);
            body.text("\r\n");
        }
        body.text("--changeset_c--\r\n--batch_b--\r\n");
        return finish(
                "POST",
                basePath + "/$batch",
                "",
                "Content-Type: multipart/mixed; boundary=batch_b\r\n",
                202,
                Counted.WRITES,
                TRANSACTION_ROWS);
    }

    @Override
    public Request range(String partitionKey, long firstRow) {
        String filter = "PartitionKey eq '" + partitionKey + "' and RowKey ge '" + Entities.rowKey(firstRow)
                + "' and RowKey lt '" + Entities.rowKey(firstRow + RANGE_ROWS) + "'";
        return query(filter, "", RANGE_ROWS);
    }

    @Override
    public Request filter(String partitionKey, int age) {
        return query(
                "PartitionKey eq '" + partitionKey + "' and Age eq " + age, "", DataSet.PARTITION_ROWS / Entities.AGES);
    }

    @Override
    public Request page(String partitionKey) {
        return query("PartitionKey ge '" + partitionKey + "'", "", DataSet.PARTITION_ROWS);
    }

    @Override
    public Request tail(String partitionKey) {
        return query("PartitionKey eq '" + partitionKey + "'", "&$top=" + TAIL_ROWS, TAIL_ROWS);
    }

    private Request query(String filter, String more, int entities) {
        request.newBody();
        String query = "$filter=" + filter.replace(" ", "%20") + more;
        return finish("GET", tablePath + "()", query, "", 200, Counted.ENTITIES, entities);
    }

    private String entityPath(String partitionKey, long row) {
        return tablePath + entityKey(partitionKey, row);
    }

    private static String entityKey(String partitionKey, long row) {
        return "(PartitionKey='" + partitionKey + "',RowKey='" + Entities.rowKey(row) + "')";
    }

    private Request finish(
            String method, String path, String query, String headers, int status, Counted counted, int count) {
        String wholeQuery = query.isEmpty() || sas.isEmpty() ? query + sas : query + "&" + sas;
        request.newHead()
                .text(method)
                .text(" ")
                .text(path)
                .text(wholeQuery.isEmpty() ? "" : "?")
                .text(wholeQuery)
                .text(" HTTP/1.1\r\nHost: ")
                .text(host)
                .text("\r\n")
                .text(signer.map(lite -> lite.headers(path)).orElse(""))
                .text(VERSION)
                .text(DATA_VERSION)
                .text(ACCEPT)
                .text(headers);
        return request.expect(status, counted, count);
    }
}
