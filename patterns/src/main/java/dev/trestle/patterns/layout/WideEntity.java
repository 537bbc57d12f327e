package dev.trestle.patterns.layout;

import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.EntityType;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.query.Filter;
import dev.trestle.patterns.query.Filters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/**
 * The wide entities pattern: a value with more than 252 properties or more than 1 MiB is stored as several entities of one
 * partition. The first part has the key of the value; the others have that key with a tilde and a number.
 *
 * <pre>{@code
 * WideEntity<YearOfMessages> messages = WideEntity.of(client, EntityType.of(YearOfMessages.class));
 * messages.insert(year);
 * }</pre>
 *
 * <p>Promise: all parts are written in one transaction and read as they were written together: each part has the id of its write,
 * and a reader that sees parts of two writes retries. A value is limited by the size of a transaction, 4 MiB and 100 parts. This
 * holds if all writers use this class. Thread-safe.
 */
public final class WideEntity<T> {
    private static final String PART_SEPARATOR = "~";

    /** The character after the digits, which ends the range of parts. */
    private static final String AFTER_DIGITS = ":";

    private static final String PARTS = "WideParts";
    private static final String WRITE = "WideWrite";
    private static final int PROPERTIES_MAX = 252 - 2;
    private static final int BYTES_MAX = 900_000;
    private static final int READS_MAX = 20;

    private final TableClient client;
    private final EntityType<T> type;

    private WideEntity(TableClient client, EntityType<T> type) {
        this.client = client;
        this.type = type;
    }

    public static <T> WideEntity<T> of(TableClient client, EntityType<T> type) {
        return new WideEntity<>(client, type);
    }

    /** Inserts a value; fails if one with its key exists. */
    public void insert(T value) {
        EntityRow row = type.toRow(value);
        List<TableTransactionAction> actions = new ArrayList<>();
        for (TableEntity part : split(row)) {
            actions.add(new TableTransactionAction(TableTransactionActionType.CREATE, part));
        }
        client.submitTransaction(actions);
    }

    /** Changes or inserts a value with optimistic concurrency; retries on conflict. */
    public void compute(EntityKey key, Function<Optional<T>, T> change) {
        ConflictRetry.standard().call(() -> {
            Optional<Stored<T>> current = find(key);
            T changed = change.apply(current.map(Stored::value));
            if (!type.key(changed).equals(key)) {
                throw new IllegalArgumentException("The changed value has the key " + type.key(changed) + " instead of "
                        + key + ": a key cannot change");
            }
            if (current.isEmpty()) {
                insert(changed);
            } else {
                client.submitTransaction(replacing(current.get(), changed));
            }
            return key;
        });
    }

    private List<TableTransactionAction> replacing(Stored<T> current, T changed) {
        List<TableEntity> parts = split(type.toRow(changed));
        List<TableTransactionAction> actions = new ArrayList<>();
        // The ETag of the first part guards the others: they never change without it.
        parts.get(0).addProperty("odata.etag", current.etag());
        actions.add(new TableTransactionAction(TableTransactionActionType.UPDATE_REPLACE, parts.get(0), true));
        for (TableEntity part : parts.subList(1, parts.size())) {
            actions.add(new TableTransactionAction(TableTransactionActionType.UPSERT_REPLACE, part));
        }
        for (int i = parts.size(); i < partsBefore(current); i++) {
            actions.add(new TableTransactionAction(
                    TableTransactionActionType.DELETE,
                    new TableEntity(current.key().partitionKey(), partKey(current.key(), i))));
        }
        return actions;
    }

    /** Deletes a value. Succeeds if there is none. */
    public void delete(EntityKey key) {
        ConflictRetry.standard().call(() -> {
            find(key).ifPresent(current -> {
                TableEntity first = new TableEntity(key.partitionKey(), key.rowKey());
                first.addProperty("odata.etag", current.etag());
                List<TableTransactionAction> actions = new ArrayList<>();
                actions.add(new TableTransactionAction(TableTransactionActionType.DELETE, first, true));
                for (int i = 1; i < partsBefore(current); i++) {
                    actions.add(new TableTransactionAction(
                            TableTransactionActionType.DELETE, new TableEntity(key.partitionKey(), partKey(key, i))));
                }
                client.submitTransaction(actions);
            });
            return key;
        });
    }

    private static int partsBefore(Stored<?> current) {
        return (int) current.unknownProperties().getOrDefault(PARTS, 1);
    }

    /** Reads a value and joins its parts: one request, unless it is larger than a page. */
    public Optional<Stored<T>> find(EntityKey key) {
        for (int attempt = 0; attempt < READS_MAX; attempt++) {
            Map<String, TableEntity> parts = read(key);
            TableEntity first = parts.get(key.rowKey());
            if (parts.isEmpty()) {
                return Optional.empty();
            }
            if (first != null && isWhole(first, parts)) {
                return Optional.of(joined(first, parts));
            }
        }
        throw new IllegalStateException(
                "The parts of " + key + " are of different writes: write them only through this class");
    }

    private Map<String, TableEntity> read(EntityKey key) {
        // A single range: an "or" would make the service scan the whole partition.
        Filter range = Filters.partitionKey()
                .eq(key.partitionKey())
                .and(Filters.rowKey().from(key.rowKey(), key.rowKey() + PART_SEPARATOR + AFTER_DIGITS));
        String filter = EntityTable.of(client, type).where(range).filter();
        Map<String, TableEntity> parts = new TreeMap<>();
        client.listEntities(new ListEntitiesOptions().setFilter(filter), null, Context.NONE).stream()
                .filter(part -> isPart(part.getRowKey(), key.rowKey()))
                .forEach(part -> parts.put(part.getRowKey(), part));
        return parts;
    }

    private static boolean isPart(String rowKey, String first) {
        return rowKey.equals(first) || rowKey.startsWith(first + PART_SEPARATOR);
    }

    private static boolean isWhole(TableEntity first, Map<String, TableEntity> parts) {
        Object write = first.getProperty(WRITE);
        return Integer.valueOf(parts.size()).equals(first.getProperty(PARTS))
                && parts.values().stream().allMatch(part -> write != null && write.equals(part.getProperty(WRITE)));
    }

    private Stored<T> joined(TableEntity first, Map<String, TableEntity> parts) {
        Map<String, Object> all = new LinkedHashMap<>();
        parts.values().forEach(part -> all.putAll(EntityRow.of(part).properties()));
        all.remove(WRITE);
        Object count = all.remove(PARTS);
        Stored<T> stored = type.fromRow(EntityRow.of(first).withProperties(all));
        return new Stored<>(
                stored.value(),
                stored.key(),
                stored.etag(),
                stored.timestamp(),
                Map.of(PARTS, count == null ? 1 : count));
    }

    private static String partKey(EntityKey key, int number) {
        return number == 0 ? key.rowKey() : key.rowKey() + PART_SEPARATOR + String.format("%02d", number);
    }

    private static List<TableEntity> split(EntityRow row) {
        String write = UUID.randomUUID().toString();
        List<TableEntity> parts = new ArrayList<>();
        int properties = 0;
        int bytes = 0;
        for (Map.Entry<String, Object> property : new TreeMap<>(row.properties()).entrySet()) {
            int more = bytes(property);
            if (parts.isEmpty() || properties == PROPERTIES_MAX || bytes + more > BYTES_MAX) {
                TableEntity part = new TableEntity(row.key().partitionKey(), partKey(row.key(), parts.size()));
                parts.add(part.addProperty(WRITE, write));
                properties = 0;
                bytes = 0;
            }
            parts.get(parts.size() - 1).addProperty(property.getKey(), property.getValue());
            properties++;
            bytes += more;
        }
        if (parts.isEmpty()) {
            parts.add(new TableEntity(row.key().partitionKey(), row.key().rowKey()).addProperty(WRITE, write));
        }
        parts.get(0).addProperty(PARTS, parts.size());
        return parts;
    }

    /** Returns the size of a property as the service counts it: two bytes per character. */
    private static int bytes(Map.Entry<String, Object> property) {
        int value = 8;
        if (property.getValue() instanceof String text) {
            value = text.getBytes(StandardCharsets.UTF_16LE).length + 4;
        } else if (property.getValue() instanceof byte[] binary) {
            value = binary.length + 4;
        }
        return 8 + 2 * property.getKey().length() + value;
    }
}
