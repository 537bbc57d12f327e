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
 * Writes and deletes rows in the tables {@code $Metrics...}. Counts are added to an existing row by
 * compare-and-set, because several servers, or a restarted one, may contribute to the same row. Not thread-safe.
 */
final class MetricsTables {
    /** The attempts of a compare-and-set before the write fails. */
    private static final int ATTEMPTS_MAX = 100;

    private static final TableName CAPACITY = new TableName("$MetricsCapacityBlob");

    private final TableService tables;

    /**
     * The key of a row.
     *
     * @param start the start of the period
     * @param operation the name of the operation in logs, or {@link #ALL}
     */
    record MetricsKey(String account, Service service, MetricsPeriod period, Instant start, String operation) {
        static final String ALL = "All";

        private EntityKey key() {
            return new EntityKey(MetricsPeriod.partitionKey(start), "user;" + operation);
        }
    }

    MetricsTables(TableService tables) {
        this.tables = tables;
    }

    void add(MetricsKey which, TransactionMetrics more) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Table table = Futures.await(
                    tables.ownTable(which.account(), which.period().table(which.service())));
            Optional<byte[]> stored = Futures.await(tables.read(table, which.key()));
            if (stored.isPresent() && more.total() == 0) {
                return;
            }
            if (write(table, which.key(), stored, more)) {
                return;
            }
        }
        throw new IllegalStateException("a metrics row was changed concurrently in every attempt");
    }

    private boolean write(Table table, EntityKey key, Optional<byte[]> stored, TransactionMetrics more) {
        byte[] row = stored.map(TransactionMetrics::ofRow)
                .orElseGet(TransactionMetrics::new)
                .add(more)
                .row();
        EntityWrite write = stored.map(
                        old -> EntityWrite.replace(key, row, Precondition.versionEquals(Rows.version(old))))
                .orElseGet(() -> EntityWrite.insert(key, row));
        try {
            Futures.await(tables.transact(table, List.of(write)));
            return true;
        } catch (StorageException e) {
            return switch (e.error()) {
                case ENTITY_ALREADY_EXISTS, UPDATE_CONDITION_NOT_SATISFIED, RESOURCE_NOT_FOUND -> false;
                default -> throw e;
            };
        }
    }

    /** Whether the capacity metrics of this day exist. */
    boolean hasCapacity(String account, Instant day) {
        Optional<Table> table = Futures.await(tables.findTable(account, CAPACITY));
        return table.isPresent()
                && Futures.await(tables.read(table.get(), capacityKey(day, "data")))
                        .isPresent();
    }

    private static EntityKey capacityKey(Instant day, String of) {
        return new EntityKey(MetricsPeriod.partitionKey(day), of);
    }

    /** Writes a finished count; replaces that of another server, if any. */
    void put(CapacityCounter count) {
        Table table = Futures.await(tables.ownTable(count.account(), CAPACITY));
        Futures.await(tables.transact(
                table,
                List.of(
                        EntityWrite.insertOrReplace(capacityKey(count.day(), "data"), row(count.data())),
                        EntityWrite.insertOrReplace(capacityKey(count.day(), "analytics"), row(count.ofAnalytics())))));
    }

    private static byte[] row(CapacityCounter.Totals sum) {
        RowBuilder row = new RowBuilder();
        row.put("Capacity", new EdmValue.Int64(sum.bytes()));
        row.put("ContainerCount", new EdmValue.Int64(sum.containers()));
        row.put("ObjectCount", new EdmValue.Int64(sum.objects()));
        return row.build();
    }

    /** Deletes the rows of all periods that ended before a time. */
    void deleteBefore(String account, Service service, MetricsPeriod period, Instant time) {
        deleteBefore(account, period.table(service), period.start(time));
    }

    /** Deletes the capacity metrics of all days that ended before a time. */
    void deleteCapacityBefore(String account, Instant time) {
        deleteBefore(account, CAPACITY, time.truncatedTo(ChronoUnit.DAYS));
    }

    private void deleteBefore(String account, TableName name, Instant start) {
        Optional<Table> table = Futures.await(tables.findTable(account, name));
        if (table.isEmpty()) {
            return;
        }
        String end = MetricsPeriod.partitionKey(start);
        Filter old = Filter.compare(Filter.PARTITION_KEY, Operator.LT, new EdmValue.Text(end));
        Optional<Continuation> from = Optional.empty();
        do {
            try (EntityPage page = Futures.await(tables.query(
                    table.get(), new EntityQuery(old, Filter.ALL, List.of(), Limits.PAGE_ROWS_MAX, from)))) {
                for (int i = 0; i < page.rows().size(); i++) {
                    delete(table.get(), page.rows().key(i));
                }
                from = page.next();
            }
        } while (from.isPresent());
    }

    private void delete(Table table, Key key) {
        EntityKey entity = new EntityKey(key.partitionKey(), key.rowKey());
        try {
            Futures.await(tables.transact(table, List.of(EntityWrite.delete(entity, Precondition.PRESENT))));
        } catch (StorageException e) {
            // Deleted by another server or by the owner of the account.
            if (e.error() != StorageError.RESOURCE_NOT_FOUND) {
                throw e;
            }
        }
    }
}
