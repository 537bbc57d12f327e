package dev.trestle.patterns;

import com.azure.core.http.rest.Response;
import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import dev.trestle.patterns.crypto.PropertyEncryption;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityMapping;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.query.Filter;
import dev.trestle.patterns.query.Filters;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A table of typed entities, with blocking operations. Errors of the service are thrown as the exceptions of the SDK. Immutable
 * and thread-safe. Several tables of different types may share a client, and their writes may share a transaction.
 *
 * <pre>{@code
 * EntityTable<Employee> employees = EntityTable.of(client, Employee.class);
 * employees.insert(new Employee("Sales", 223, "Jones", 34, Optional.of("jonesj@contoso.com")));
 *
 * Stored<Employee> jones = employees.find("Sales", "empid_000223").orElseThrow();
 * }</pre>
 */
public final class EntityTable<T> {
    private final TableClient client;
    private final RowMapper<T> rows;
    private final EntityWrites<T> writes;

    private EntityTable(TableClient client, RowMapper<T> rows) {
        this.client = client;
        this.rows = rows;
        this.writes = new EntityWrites<>(rows);
    }

    /** Returns a table of the entities of a record, a plain class, or all classes of a sealed interface. */
    public static <T> EntityTable<T> of(TableClient client, Class<T> type) {
        return of(client, EntityMapping.of(type));
    }

    public static <T> EntityTable<T> of(TableClient client, EntityMapping<T> mapping) {
        return new EntityTable<>(client, new RowMapper<>(mapping, Optional.empty()));
    }

    /** Returns a table that encrypts the properties selected by the mapping or the encryption. */
    public static <T> EntityTable<T> of(TableClient client, EntityMapping<T> mapping, PropertyEncryption encryption) {
        return new EntityTable<>(client, new RowMapper<>(mapping, Optional.of(encryption)));
    }

    public EntityMapping<T> mapping() {
        return rows.mapping();
    }

    public TableClient client() {
        return client;
    }

    /** Returns the factory of writes for {@link #transact} and {@link #bulk}. */
    public EntityWrites<T> writes() {
        return writes;
    }

    /** Creates the table on the service if it does not exist. */
    public EntityTable<T> createIfMissing() {
        try {
            client.createTable();
        } catch (TableServiceException e) {
            if (e.getValue() == null
                    || !TableErrorCode.TABLE_ALREADY_EXISTS.equals(e.getValue().getErrorCode())) {
                throw e;
            }
        }
        return this;
    }

    /** Reads the entity with this key by a point read; empty if there is none. */
    public Optional<Stored<T>> find(EntityKey key) {
        try {
            return Optional.of(rows.read(client.getEntity(key.partitionKey(), key.rowKey())));
        } catch (TableServiceException e) {
            if (Responses.isNotFound(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public Optional<Stored<T>> find(String partitionKey, String rowKey) {
        return find(new EntityKey(partitionKey, rowKey));
    }

    /** Returns a query for the entities that match a filter. */
    public Query<T> where(Filter filter) {
        QuerySpec<T> spec = new QuerySpec<>(
                mapping(), filter, Long.MAX_VALUE, QuerySpec.PAGE_SIZE_MAX, false, List.of(), rows::read);
        return new Query<>(client, new Projections(rows), spec);
    }

    /** Returns a query for all entities of a partition. */
    public Query<T> partition(String partitionKey) {
        return where(Filters.partitionKey().eq(partitionKey));
    }

    /** Returns a query for all entities of the table; needs {@link Query#allowTableScan}. */
    public Query<T> everything() {
        return where(Filters.everything());
    }

    /** Inserts a value; fails if an entity with its key exists. */
    public Stored<T> insert(T value) {
        return stored(value, perform(writes.insert(value)));
    }

    /** Inserts a value or replaces the existing entity, unconditionally. */
    public Stored<T> upsert(T value) {
        return stored(value, perform(writes.upsert(value)));
    }

    /** Inserts a value or merges its properties into the existing entity; returns the new ETag. */
    public String upsertMerge(T value) {
        return perform(writes.upsertMerge(value));
    }

    /** Merges properties into the existing entity, or inserts an entity with just these; returns the new ETag. */
    public String upsertMerge(EntityKey key, Delta<T> delta) {
        return perform(writes.upsertMerge(key, delta));
    }

    /** Replaces an entity if its ETag is unchanged since it was read. */
    public Stored<T> replace(Stored<T> stored) {
        return stored.writtenAs(perform(writes.replace(stored)));
    }

    /** Replaces an existing entity, whatever its ETag; fails if there is none. */
    public Stored<T> replaceUnconditionally(T value) {
        return stored(value, perform(writes.replaceUnconditionally(value)));
    }

    /** Merges properties into an entity if its ETag is unchanged since it was read; returns the new ETag. */
    public String merge(Stored<T> stored, Delta<T> delta) {
        return perform(writes.merge(stored, delta));
    }

    /** Merges properties into an existing entity, whatever its ETag; fails if there is none; returns the new ETag. */
    public String merge(EntityKey key, Delta<T> delta) {
        return perform(writes.merge(key, delta));
    }

    /** Deletes an entity if its ETag is unchanged since it was read. */
    public void delete(Stored<T> stored) {
        perform(writes.delete(stored));
    }

    /** Deletes an entity, whatever its ETag. Succeeds if there is none. */
    public void delete(EntityKey key) {
        perform(writes.delete(key));
    }

    /**
     * Reads an entity, changes it and replaces it with optimistic concurrency; retries on conflict. The change may be applied
     * several times.
     */
    public Stored<T> update(EntityKey key, UnaryOperator<T> change) {
        return ConflictRetry.standard().call(() -> {
            Stored<T> current = find(key).orElseThrow(() -> new NoSuchElementException("Entity not found: " + key));
            return replace(current.with(change.apply(current.value())));
        });
    }

    /** Like {@link #update}, for an entity that may not exist yet: then inserts it. */
    public Stored<T> compute(EntityKey key, Function<Optional<T>, T> change) {
        return ConflictRetry.standard().call(() -> {
            Optional<Stored<T>> current = find(key);
            T changed = change.apply(current.map(Stored::value));
            return current.isPresent() ? replace(current.get().with(changed)) : insert(changed);
        });
    }

    /**
     * Executes 1 to 100 writes of one partition atomically. The SDK does not return their new ETags; read the entities again to
     * get them.
     */
    public void transact(List<Write> transaction) {
        client.submitTransaction(Transactions.actions(transaction));
    }

    /** Executes any number of writes, grouped by partition into transactions; see {@link BulkOptions}. */
    public BulkResult bulk(Iterable<Write> many, BulkOptions options) {
        BulkRun run = new BulkRun(
                options,
                transaction -> Mono.fromCallable(() -> client.submitTransaction(transaction))
                        .subscribeOn(Schedulers.boundedElastic()));
        return run.perform(many).blockOptional().orElseThrow();
    }

    private Stored<T> stored(T value, String etag) {
        return new Stored<>(value, mapping().key(value), etag, Optional.empty(), Map.of());
    }

    /** Executes one write; returns the new ETag, or an empty string for a delete. */
    public String perform(Write write) {
        TableEntity entity = write.row().toTableEntity();
        boolean conditional = write.conditional();
        Response<Void> response = switch (write.type()) {
            case CREATE -> client.createEntityWithResponse(entity, null, Context.NONE);
            case UPSERT_MERGE ->
                client.upsertEntityWithResponse(entity, TableEntityUpdateMode.MERGE, null, Context.NONE);
            case UPSERT_REPLACE ->
                client.upsertEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, null, Context.NONE);
            case UPDATE_MERGE ->
                client.updateEntityWithResponse(entity, TableEntityUpdateMode.MERGE, conditional, null, Context.NONE);
            case UPDATE_REPLACE ->
                client.updateEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, conditional, null, Context.NONE);
            case DELETE -> client.deleteEntityWithResponse(entity, conditional, null, Context.NONE);
        };
        return Responses.etag(response);
    }
}
