package dev.trestle.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One change of one entity, to be sent alone or in a transaction, and to be applied to the expected state of the
 * entity. Keys and values need no escaping.
 *
 * @param ifMatch an ETag or {@code *}; empty for inserts and upserts
 */
record EntityChange(
        Kind kind, String partitionKey, String rowKey, Optional<String> ifMatch, Map<String, String> properties) {
    /** The operations of the service. */
    enum Kind {
        INSERT("POST"),
        REPLACE("PUT"),
        MERGE("MERGE"),
        DELETE("DELETE");

        private final String method;

        Kind(String method) {
            this.method = method;
        }
    }

    EntityChange {
        properties = Map.copyOf(properties);
    }

    /** Makes or replaces so many entities of a partition, each about as large as its filler. */
    static List<EntityChange> fill(String partitionKey, int entities, int fillerLength) {
        Map<String, String> properties = Map.of("Filler", "x".repeat(fillerLength));
        return IntStream.range(0, entities)
                .mapToObj(
                        row -> new EntityChange(Kind.REPLACE, partitionKey, "row" + row, Optional.empty(), properties))
                .toList();
    }

    /** Short, because whole transactions of these are shown. */
    @Override
    public String toString() {
        return kind + " " + rowKey + ifMatch.map(etag -> " if " + etag).orElse("");
    }

    String method() {
        return kind.method;
    }

    /** Returns the path after the account. */
    String path(String table) {
        return kind == Kind.INSERT ? "/" + table : entityPath(table, partitionKey, rowKey);
    }

    static String entityPath(String table, String partitionKey, String rowKey) {
        return "/" + table + "(PartitionKey='" + partitionKey + "',RowKey='" + rowKey + "')";
    }

    /** The body; a delete has none. */
    Optional<String> json() {
        if (kind == Kind.DELETE) {
            return Optional.empty();
        }
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put("PartitionKey", partitionKey);
        all.put("RowKey", rowKey);
        return Optional.of(all.entrySet().stream()
                .map(property -> "\"" + property.getKey() + "\":\"" + property.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}")));
    }

    /** The properties of the entity after this change, if it is there then. */
    Optional<Map<String, String>> applyTo(Optional<Map<String, String>> before) {
        if (kind == Kind.DELETE) {
            return Optional.empty();
        }
        Map<String, String> after = new LinkedHashMap<>();
        if (kind == Kind.MERGE) {
            before.ifPresent(after::putAll);
        }
        after.putAll(properties);
        return Optional.of(after);
    }
}
