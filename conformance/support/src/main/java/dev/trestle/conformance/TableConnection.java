package dev.trestle.conformance;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A minimal client of the Table service on one connection, for tests with many requests. After an {@link
 * IOException} the outcome of the last request is unknown.
 */
final class TableConnection implements AutoCloseable {
    private static final Pattern PART_STATUS = Pattern.compile("^HTTP/1.1 (\\d+) ", Pattern.MULTILINE);
    private static final Pattern PART_ETAG = Pattern.compile("^ETag: (.*?)\r?$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("\"code\":\"(\\w+)\"");
    private static final Pattern INDEX = Pattern.compile("\"value\":\"(\\d+):");

    private final RawConnection connection;

    TableConnection(TrestleProcess server) throws IOException {
        connection = new RawConnection(server);
    }

    /** An entity as it is stored; the properties are without keys and Timestamp. */
    record Entity(String etag, Map<String, String> properties) {}

    /**
     * The outcome of changes.
     *
     * @param status of the request, or of the operation at fault in a transaction
     * @param code of the error, empty when there is none
     * @param index of the change at fault
     * @param etags of the changes in order, when they were made; a delete has an empty one
     */
    record Written(int status, String code, int index, List<String> etags) {
        boolean made() {
            return status < 300;
        }
    }

    RawResponse exchange(RawRequest request) throws IOException {
        return connection.exchange(request);
    }

    RawResponse createTable(String name) throws IOException {
        return connection.exchange(RawRequest.of("POST", "/Tables")
                .with("Prefer", "return-no-content")
                .json("{\"TableName\":\"" + name + "\"}"));
    }

    RawResponse deleteTable(String name) throws IOException {
        return connection.exchange(RawRequest.of("DELETE", "/Tables('" + name + "')"));
    }

    /** Sends one change by itself and several as a transaction. */
    Written write(String table, List<EntityChange> changes) throws IOException {
        return write(table, changes, () -> {});
    }

    /**
     * Like {@link #write(String, List)}, and runs the task between sending the request and reading the response.
     */
    Written write(String table, List<EntityChange> changes, Runnable whenSent) throws IOException {
        RawRequest request = changes.size() == 1 ? single(table, changes.get(0)) : transaction(table, changes);
        connection.send(request.bytes());
        whenSent.run();
        RawResponse answer = connection.response();
        return changes.size() == 1 ? written(answer) : writtenTogether(answer);
    }

    private static RawRequest single(String table, EntityChange change) {
        RawRequest request = RawRequest.of(change.method(), change.path(table)).with("Prefer", "return-no-content");
        if (change.ifMatch().isPresent()) {
            request = request.with("If-Match", change.ifMatch().get());
        }
        return change.json().isPresent() ? request.json(change.json().get()) : request;
    }

    private static RawRequest transaction(String table, List<EntityChange> changes) {
        StringBuilder body = new StringBuilder("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
        for (EntityChange change : changes) {
            body.append("--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n")
                    .append(change.method())
                    .append(" http://127.0.0.1/")
                    .append(TrestleProcess.ACCOUNT)
                    .append(change.path(table))
                    .append(" HTTP/1.1\r\nContent-Type: application/json\r\nPrefer: return-no-content\r\n");
            change.ifMatch()
                    .ifPresent(etag -> body.append("If-Match: ").append(etag).append("\r\n"));
            body.append("\r\n").append(change.json().orElse("")).append("\r\n");
        }
        body.append("--c--\r\n--b--\r\n");
        return RawRequest.of("POST", "/$batch")
                .with("Content-Type", "multipart/mixed; boundary=b")
                .body(body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Written written(RawResponse answer) {
        List<String> etags =
                answer.status() < 300 ? List.of(answer.header("ETag").orElse("")) : List.of();
        return new Written(answer.status(), code(answer.body()), 0, etags);
    }

    private static Written writtenTogether(RawResponse answer) {
        if (answer.status() != 202) {
            return written(answer);
        }
        List<String> etags = new ArrayList<>();
        String[] parts = answer.body().split("--changesetresponse", -1);
        for (String part : parts) {
            Matcher status = PART_STATUS.matcher(part);
            if (status.find()) {
                int number = Integer.parseInt(status.group(1));
                if (number >= 300) {
                    Matcher index = INDEX.matcher(part);
                    return new Written(
                            number, code(part), index.find() ? Integer.parseInt(index.group(1)) : -1, List.of());
                }
                Matcher etag = PART_ETAG.matcher(part);
                etags.add(etag.find() ? etag.group(1) : "");
            }
        }
        return new Written(answer.status(), "", 0, etags);
    }

    private static String code(String body) {
        Matcher code = CODE.matcher(body);
        return code.find() ? code.group(1) : "";
    }

    /** The entity, or empty when there is none. */
    Optional<Entity> read(String table, String partitionKey, String rowKey) throws IOException {
        RawResponse answer =
                connection.exchange(RawRequest.of("GET", EntityChange.entityPath(table, partitionKey, rowKey)));
        if (answer.status() == 404) {
            return Optional.empty();
        }
        Entity entity = entity(map(parse(expect(200, answer).body())));
        if (!answer.header("ETag").equals(Optional.of(entity.etag))) {
            throw new AssertionError("header and body name different ETags: " + answer.text());
        }
        return Optional.of(entity);
    }

    /** All entities of a partition by row key, in pages of this many at most; empty when there is no such table. */
    Optional<Map<String, Entity>> query(String table, String partitionKey, int top) throws IOException {
        Map<String, Entity> entities = new TreeMap<>();
        String target = "/" + table + "()?$filter=PartitionKey%20eq%20'" + partitionKey + "'&$top=" + top;
        String next = "";
        do {
            RawResponse answer = connection.exchange(RawRequest.of("GET", target + next));
            if (answer.status() == 404) {
                return Optional.empty();
            }
            if (map(parse(expect(200, answer).body())).get("value") instanceof List<?> rows) {
                for (Object row : rows) {
                    Map<?, ?> properties = map(row);
                    entities.put(String.valueOf(properties.get("RowKey")), entity(properties));
                }
            }
            Optional<String> partition = answer.header("x-ms-continuation-NextPartitionKey");
            Optional<String> rowKey = answer.header("x-ms-continuation-NextRowKey");
            next = partition.map(value -> "&NextPartitionKey=" + value).orElse("")
                    + rowKey.map(value -> "&NextRowKey=" + value).orElse("");
        } while (!next.isEmpty());
        return Optional.of(entities);
    }

    private static RawResponse expect(int status, RawResponse answer) {
        if (answer.status() != status) {
            throw new AssertionError("expected " + status + ", not " + answer.text());
        }
        return answer;
    }

    private static Object parse(String json) throws IOException {
        try (JsonReader reader = JsonProviders.createReader(json)) {
            return reader.readUntyped();
        }
    }

    private static Map<?, ?> map(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new AssertionError("not an object: " + value);
    }

    private static Entity entity(Map<?, ?> json) {
        Map<String, String> properties = new TreeMap<>();
        json.forEach((name, value) -> properties.put(String.valueOf(name), String.valueOf(value)));
        String etag = String.valueOf(properties.get("odata.etag"));
        properties.keySet().removeIf(name -> name.startsWith("odata."));
        List.of("PartitionKey", "RowKey", "Timestamp").forEach(properties::remove);
        return new Entity(etag, properties);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
