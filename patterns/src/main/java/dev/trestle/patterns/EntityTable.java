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
 * A table of typed entities, for callers that wait. What the service refuses is thrown as the SDK throws it. Immutable and safe
 * for many threads, as the client is; several tables of different types may share one client and stand in one transaction.
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
    private final Rows<T> rows;
    private final EntityWrites<T> writes;

    private EntityTable(TableClient client, Rows<T> rows) {
        this.client = client;
        this.rows = rows;
        this.writes = new EntityWrites<>(rows);
    }

    /** A table of a record, a plain class, or all classes of a sealed interface. */
    public static <T> EntityTable<T> of(TableClient client, Class<T> type) {
        return of(client, EntityMapping.of(type));
    }

    public static <T> EntityTable<T> of(TableClient client, EntityMapping<T> mapping) {
        return new EntityTable<>(client, new Rows<>(mapping, Optional.empty()));
    }

    /** The same, encrypting the properties that the mapping or the encryption says. */
    public static <T> EntityTable<T> of(TableClient client, EntityMapping<T> mapping, PropertyEncryption encryption) {
        return new EntityTable<>(client, new Rows<>(mapping, Optional.of(encryption)));
    }

    public EntityMapping<T> mapping() {
        return rows.mapping();
    }

    public TableClient client() {
        return client;
    }

    /** Makes writes of this table's values, for {@link #transact} and {@link #bulk}. */
    public EntityWrites<T> writes() {
        return writes;
    }

    /** Creates the table on the service, if it is not there. */
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

    /** The entity with this key, by a point read. */
    public Optional<Stored<T>> find(EntityKey key) {
        try {
            return Optional.of(rows.read(client.getEntity(key.partitionKey(), key.rowKey())));
        } catch (TableServiceException e) {
            if (Answers.isMissing(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public Optional<Stored<T>> find(String partitionKey, String rowKey) {
        return find(new EntityKey(partitionKey, rowKey));
    }

    /** All entities that fulfil a filter. */
    public Query<T> where(Filter filter) {
        QuerySpec<T> spec = new QuerySpec<>(
                mapping(), filter, Long.MAX_VALUE, QuerySpec.PAGE_SIZE_MAX, false, List.of(), rows::read);
        return new Query<>(client, new Projections(rows), spec);
    }

    /** All entities of a partition. */
    public Query<T> partition(String partitionKey) {
        return where(Filters.partitionKey().eq(partitionKey));
    }

    /** All entities of the table. */
    public Query<T> everything() {
        return where(Filters.everything());
    }

    /** Inserts a value; fails if there is an entity with its keys. */
    public Stored<T> insert(T value) {
        return stored(value, perform(writes.insert(value)));
    }

    /** Inserts a value, or replaces what is there. */
    public Stored<T> upsert(T value) {
        return stored(value, perform(writes.upsert(value)));
    }

    /** Inserts a value, or sets its properties in what is there; returns the new ETag. */
    public String upsertMerge(T value) {
        return perform(writes.upsertMerge(value));
    }

    /** Sets properties of what is there, or of a new entity; returns the new ETag. */
    public String upsertMerge(EntityKey key, Delta<T> delta) {
        return perform(writes.upsertMerge(key, delta));
    }

    /** Replaces what was read, if it has not changed since. */
    public Stored<T> replace(Stored<T> stored) {
        return stored.writtenAs(perform(writes.replace(stored)));
    }

    /** Replaces what is there, in whatever state; fails if there is nothing. */
    public Stored<T> replaceUnconditionally(T value) {
        return stored(value, perform(writes.replaceUnconditionally(value)));
    }

    /** Changes some properties of what was read, if it has not changed since; returns the new ETag. */
    public String merge(Stored<T> stored, Delta<T> delta) {
        return perform(writes.merge(stored, delta));
    }

    /** Changes some properties of what is there, in whatever state; fails if there is nothing; returns the new ETag. */
    public String merge(EntityKey key, Delta<T> delta) {
        return perform(writes.merge(key, delta));
    }

    /** Deletes what was read, if it has not changed since. */
    public void delete(Stored<T> stored) {
        perform(writes.delete(stored));
    }

    /** Deletes what is there, in whatever state. To find nothing is no failure. */
    public void delete(EntityKey key) {
        perform(writes.delete(key));
    }

    /**
     * Reads an entity, changes it and replaces it, again and again until no other writer came between. The change may be asked
     * for several times.
     */
    public Stored<T> update(EntityKey key, UnaryOperator<T> change) {
        return ConflictRetry.standard().call(() -> {
            Stored<T> current = find(key).orElseThrow(() -> new NoSuchElementException("There is no entity " + key));
            return replace(current.with(change.apply(current.value())));
        });
    }

    /** The same for an entity that may not be there yet, in which case it is inserted. */
    public Stored<T> compute(EntityKey key, Function<Optional<T>, T> change) {
        return ConflictRetry.standard().call(() -> {
            Optional<Stored<T>> current = find(key);
            T changed = change.apply(current.map(Stored::value));
            return current.isPresent() ? replace(current.get().with(changed)) : insert(changed);
        });
    }

    /**
     * Performs all writes or none. They are of one partition, at most 100. The SDK does not tell the new ETags; who needs one
     * reads the entity again.
     */
    public void transact(List<Write> transaction) {
        client.submitTransaction(Transactions.actions(transaction));
    }

    /** Performs any number of writes, in transactions where they share a partition; see {@link BulkOptions}. */
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

    /** Performs one write; returns the new ETag, or nothing for a deletion. */
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
        return Answers.etag(response);
    }
}
