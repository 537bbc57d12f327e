package dev.trestle.patterns.layout;

import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.entity.EntityKey;
import java.util.Optional;

/**
 * The data series pattern: all values of a series in one entity, one property each, so that one point query reads them all. For
 * example the number of messages that an employee sent in each hour of a day.
 *
 * <pre>{@code
 * DataSeries messages = DataSeries.of(client, "Hour", 24);
 * EntityKey day = new EntityKey("Sales", "000223_20140822");
 * messages.set(day, 9, 12);
 * messages.add(day, 10, 1);
 * }</pre>
 *
 * <p>Promise: {@link #set} never overwrites other values, also under concurrency. {@link #add} never loses an update, because it
 * writes on the condition that the entity is unchanged; concurrent adds to one series contend for it. Thread-safe.
 */
public final class DataSeries {
    private static final int PROPERTIES_MAX = 252;
    private static final int NOT_FOUND = 404;

    private final TableClient client;
    private final String prefix;
    private final int size;

    private DataSeries(TableClient client, String prefix, int size) {
        if (size < 1 || size > PROPERTIES_MAX) {
            throw new IllegalArgumentException("An entity holds 1 to " + PROPERTIES_MAX + " values, not " + size
                    + ": use the wide entities pattern or a blob");
        }
        this.client = client;
        this.prefix = prefix;
        this.size = size;
    }

    /** Returns series of {@code size} values, in properties named by the prefix and a number of at least two digits. */
    public static DataSeries of(TableClient client, String prefix, int size) {
        return new DataSeries(client, prefix, size);
    }

    private String property(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(
                    "Index " + index + " is out of bounds: the series has " + size + " values");
        }
        int digits = Math.max(2, Integer.toString(size - 1).length());
        String number = Integer.toString(index);
        return prefix + "0".repeat(digits - number.length()) + number;
    }

    /** Sets one value with a single merge request. */
    public void set(EntityKey key, int index, long value) {
        TableEntity one = new TableEntity(key.partitionKey(), key.rowKey()).addProperty(property(index), value);
        client.upsertEntityWithResponse(one, TableEntityUpdateMode.MERGE, null, Context.NONE);
    }

    /** Adds to one value with optimistic concurrency, retrying on conflict; returns the sum. */
    public long add(EntityKey key, int index, long amount) {
        String property = property(index);
        return ConflictRetry.standard().call(() -> {
            Optional<TableEntity> current = find(key);
            if (current.isEmpty()) {
                client.createEntity(new TableEntity(key.partitionKey(), key.rowKey()).addProperty(property, amount));
                return amount;
            }
            long sum = value(current.get(), property) + amount;
            TableEntity change = new TableEntity(key.partitionKey(), key.rowKey()).addProperty(property, sum);
            change.addProperty("odata.etag", current.get().getETag());
            client.updateEntityWithResponse(change, TableEntityUpdateMode.MERGE, true, null, Context.NONE);
            return sum;
        });
    }

    /** Reads all values with one point query; values never set are zero. */
    public long[] read(EntityKey key) {
        long[] values = new long[size];
        find(key).ifPresent(entity -> {
            for (int i = 0; i < size; i++) {
                values[i] = value(entity, property(i));
            }
        });
        return values;
    }

    private static long value(TableEntity entity, String property) {
        return entity.getProperty(property) instanceof Number number ? number.longValue() : 0;
    }

    private Optional<TableEntity> find(EntityKey key) {
        try {
            return Optional.of(client.getEntity(key.partitionKey(), key.rowKey()));
        } catch (TableServiceException e) {
            if (e.getResponse() == null || e.getResponse().getStatusCode() != NOT_FOUND) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
