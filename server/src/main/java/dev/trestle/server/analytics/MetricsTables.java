package dev.trestle.server.analytics;

import dev.trestle.catalogue.Service;
import dev.trestle.engine.Precondition;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import dev.trestle.model.EntityKey;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.table.EntityPage;
import dev.trestle.table.EntityQuery;
import dev.trestle.table.EntityQuery.Continuation;
import dev.trestle.table.EntityWrite;
import dev.trestle.table.Table;
import dev.trestle.table.TableService;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The tables named {@code $Metrics...}. What comes to a row is added to what is there, for servers that share an account
 * all have their part in it, and so does one that was started again. For one thread.
 */
final class MetricsTables {
    /** As many times another server may be faster before this one gives up until the next time. */
    private static final int ATTEMPTS_MAX = 100;

    private static final TableName CAPACITY = new TableName("$MetricsCapacityBlob");

    private final TableService tables;

    /**
     * Which row.
     *
     * @param start of the period
     * @param operation by the name it has in logs, or {@link #ALL}
     */
    record RowOf(String account, Service service, MetricsPeriod period, Instant start, String operation) {
        static final String ALL = "All";

        private EntityKey key() {
            return new EntityKey(MetricsPeriod.partitionKey(start), "user;" + operation);
        }
    }

    MetricsTables(TableService tables) {
        this.tables = tables;
    }

    void add(RowOf which, Tally more) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Table table =
                    Await.on(tables.ownTable(which.account(), which.period().table(which.service())));
            Optional<byte[]> stored = Await.on(tables.read(table.key(which.key())));
            if (stored.isPresent() && more.total() == 0) {
                return;
            }
            if (write(table, which.key(), stored, more)) {
                return;
            }
        }
        throw new IllegalStateException("a row of the metrics is always changed by others");
    }

    private boolean write(Table table, EntityKey key, Optional<byte[]> stored, Tally more) {
        byte[] row = stored.map(Tally::ofRow).orElseGet(Tally::new).add(more).row();
        EntityWrite write = stored.map(
                        old -> EntityWrite.replace(key, row, Precondition.versionEquals(Rows.version(old))))
                .orElseGet(() -> EntityWrite.insert(key, row));
        try {
            Await.on(tables.transact(table, List.of(write)));
            return true;
        } catch (StorageException e) {
            return switch (e.error()) {
                case ENTITY_ALREADY_EXISTS, UPDATE_CONDITION_NOT_SATISFIED, RESOURCE_NOT_FOUND -> false;
                default -> throw e;
            };
        }
    }

    /** Whether there is a count of the blobs of this day. */
    boolean hasCapacity(String account, Instant day) {
        Optional<Table> table = Await.on(tables.findTable(account, CAPACITY));
        return table.isPresent()
                && Await.on(tables.read(table.get().key(capacityKey(day, "data"))))
                        .isPresent();
    }

    private static EntityKey capacityKey(Instant day, String of) {
        return new EntityKey(MetricsPeriod.partitionKey(day), of);
    }

    /** Writes a count that is over, in the place of what another server may have counted. */
    void put(CapacityCount count) {
        Table table = Await.on(tables.ownTable(count.account(), CAPACITY));
        Await.on(tables.transact(
                table,
                List.of(
                        EntityWrite.insertOrReplace(capacityKey(count.day(), "data"), row(count.data())),
                        EntityWrite.insertOrReplace(capacityKey(count.day(), "analytics"), row(count.ofAnalytics())))));
    }

    private static byte[] row(CapacityCount.Sum sum) {
        RowBuilder row = new RowBuilder();
        row.put("Capacity", new EdmValue.Int64(sum.bytes()));
        row.put("ContainerCount", new EdmValue.Int64(sum.containers()));
        row.put("ObjectCount", new EdmValue.Int64(sum.objects()));
        return row.build();
    }

    /** Deletes the rows of all periods that were over before a time. */
    void deleteBefore(String account, Service service, MetricsPeriod period, Instant time) {
        deleteBefore(account, period.table(service), period.start(time));
    }

    /** Deletes the counts of all days that were over before a time. */
    void deleteCapacityBefore(String account, Instant time) {
        deleteBefore(account, CAPACITY, time.truncatedTo(ChronoUnit.DAYS));
    }

    private void deleteBefore(String account, TableName name, Instant start) {
        Optional<Table> table = Await.on(tables.findTable(account, name));
        if (table.isEmpty()) {
            return;
        }
        String end = MetricsPeriod.partitionKey(start);
        Filter old = Filter.compare(Filter.PARTITION_KEY, Operator.LT, new EdmValue.Text(end));
        Optional<Continuation> from = Optional.empty();
        do {
            EntityPage page = Await.on(
                    tables.query(table.get(), new EntityQuery(old, Filter.ALL, List.of(), Limits.PAGE_ROWS_MAX, from)));
            for (int i = 0; i < page.rows().size(); i++) {
                delete(table.get(), page.rows().key(i));
            }
            from = page.next();
        } while (from.isPresent());
    }

    private void delete(Table table, Key key) {
        EntityKey entity = new EntityKey(key.partitionKey(), key.rowKey());
        try {
            Await.on(tables.transact(table, List.of(EntityWrite.delete(entity, Precondition.PRESENT))));
        } catch (StorageException e) {
            // Another server, or the owner of the account, was faster.
            if (e.error() != StorageError.RESOURCE_NOT_FOUND) {
                throw e;
            }
        }
    }
}
