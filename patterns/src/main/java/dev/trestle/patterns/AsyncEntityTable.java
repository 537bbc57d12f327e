package dev.trestle.patterns;

import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableAsyncClient;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The non-blocking form of {@link EntityTable}, with the same guarantees. Nothing is sent before subscription. Immutable and
 * thread-safe.
 *
 * <pre>{@code
 * AsyncEntityTable<Employee> reactive = AsyncEntityTable.of(asyncClient, Employee.class);
 * Flux<Employee> inserted = reactive.insert(jones())
 *         .thenMany(reactive.partition("Sales").flux());
 * }</pre>
 */
public final class AsyncEntityTable<T> {
    private final TableAsyncClient client;
    private final RowMapper<T> rows;
    private final EntityWrites<T> writes;

    private AsyncEntityTable(TableAsyncClient client, RowMapper<T> rows) {
        this.client = client;
        this.rows = rows;
        this.writes = new EntityWrites<>(rows);
    }

    /** Returns a table of the entities of a record, a plain class, or all classes of a sealed interface. */
    public static <T> AsyncEntityTable<T> of(TableAsyncClient client, Class<T> type) {
        return of(client, EntityMapping.of(type));
    }

    public static <T> AsyncEntityTable<T> of(TableAsyncClient client, EntityMapping<T> mapping) {
        return new AsyncEntityTable<>(client, new RowMapper<>(mapping, Optional.empty()));
    }

    /** Returns a table that encrypts the properties selected by the mapping or the encryption. */
    public static <T> AsyncEntityTable<T> of(
            TableAsyncClient client, EntityMapping<T> mapping, PropertyEncryption encryption) {
        return new AsyncEntityTable<>(client, new RowMapper<>(mapping, Optional.of(encryption)));
    }

    public EntityMapping<T> mapping() {
        return rows.mapping();
    }

    public TableAsyncClient client() {
        return client;
    }

    /** Returns the factory of writes for {@link #transact} and {@link #bulk}. */
    public EntityWrites<T> writes() {
        return writes;
    }

    /** Creates the table on the service if it does not exist. */
    public Mono<Void> createIfMissing() {
        return client.createTable()
                .then()
                .onErrorResume(
                        TableServiceException.class,
                        e -> e.getValue() != null
                                        && TableErrorCode.TABLE_ALREADY_EXISTS.equals(
                                                e.getValue().getErrorCode())
                                ? Mono.empty()
                                : Mono.error(e));
    }

    /** Reads the entity with this key by a point read; empty if there is none. */
    public Mono<Stored<T>> find(EntityKey key) {
        return client.getEntity(key.partitionKey(), key.rowKey())
                .map(rows::read)
                .onErrorResume(Responses::isNotFound, missing -> Mono.empty());
    }

    /** Returns a query for the entities that match a filter. */
    public AsyncQuery<T> where(Filter filter) {
        QuerySpec<T> spec = new QuerySpec<>(
                mapping(), filter, Long.MAX_VALUE, QuerySpec.PAGE_SIZE_MAX, false, List.of(), rows::read);
        return new AsyncQuery<>(client, new Projections(rows), spec);
    }

    /** Returns a query for all entities of a partition. */
    public AsyncQuery<T> partition(String partitionKey) {
        return where(Filters.partitionKey().eq(partitionKey));
    }

    /** Inserts a value; fails if an entity with its key exists. */
    public Mono<Stored<T>> insert(T value) {
        return Mono.defer(() -> perform(writes.insert(value))).map(etag -> stored(value, etag));
    }

    /** Inserts a value or replaces the existing entity, unconditionally. */
    public Mono<Stored<T>> upsert(T value) {
        return Mono.defer(() -> perform(writes.upsert(value))).map(etag -> stored(value, etag));
    }

    /** Inserts a value or merges its properties into the existing entity; returns the new ETag. */
    public Mono<String> upsertMerge(T value) {
        return Mono.defer(() -> perform(writes.upsertMerge(value)));
    }

    /** Merges properties into the existing entity, or inserts an entity with just these; returns the new ETag. */
    public Mono<String> upsertMerge(EntityKey key, Delta<T> delta) {
        return Mono.defer(() -> perform(writes.upsertMerge(key, delta)));
    }

    /** Replaces an entity if its ETag is unchanged since it was read. */
    public Mono<Stored<T>> replace(Stored<T> stored) {
        return Mono.defer(() -> perform(writes.replace(stored))).map(stored::writtenAs);
    }

    /** Replaces an existing entity, whatever its ETag; fails if there is none. */
    public Mono<Stored<T>> replaceUnconditionally(T value) {
        return Mono.defer(() -> perform(writes.replaceUnconditionally(value))).map(etag -> stored(value, etag));
    }

    /** Merges properties into an entity if its ETag is unchanged since it was read; returns the new ETag. */
    public Mono<String> merge(Stored<T> stored, Delta<T> delta) {
        return Mono.defer(() -> perform(writes.merge(stored, delta)));
    }

    /** Merges properties into an existing entity, whatever its ETag; fails if there is none; returns the new ETag. */
    public Mono<String> merge(EntityKey key, Delta<T> delta) {
        return Mono.defer(() -> perform(writes.merge(key, delta)));
    }

    /** Deletes an entity if its ETag is unchanged since it was read. */
    public Mono<Void> delete(Stored<T> stored) {
        return Mono.defer(() -> perform(writes.delete(stored))).then();
    }

    /** Deletes an entity, whatever its ETag. Succeeds if there is none. */
    public Mono<Void> delete(EntityKey key) {
        return Mono.defer(() -> perform(writes.delete(key))).then();
    }

    /**
     * Reads an entity, changes it and replaces it with optimistic concurrency; retries on conflict. The change may be applied
     * several times.
     */
    public Mono<Stored<T>> update(EntityKey key, UnaryOperator<T> change) {
        return ConflictRetry.standard()
                .mono(() -> find(key)
                        .switchIfEmpty(Mono.error(() -> new NoSuchElementException("Entity not found: " + key)))
                        .flatMap(current -> replace(current.with(change.apply(current.value())))));
    }

    /** Like {@link #update}, for an entity that may not exist yet: then inserts it. */
    public Mono<Stored<T>> compute(EntityKey key, Function<Optional<T>, T> change) {
        return ConflictRetry.standard()
                .mono(() -> find(key)
                        .flatMap(current -> replace(current.with(change.apply(Optional.of(current.value())))))
                        .switchIfEmpty(Mono.defer(() -> insert(change.apply(Optional.empty())))));
    }

    /** Executes 1 to 100 writes of one partition atomically. The SDK does not return their new ETags. */
    public Mono<Void> transact(List<Write> transaction) {
        return Mono.defer(() -> client.submitTransaction(Transactions.actions(transaction)))
                .then();
    }

    /** Executes any number of writes, grouped by partition into transactions; see {@link BulkOptions}. */
    public Mono<BulkResult> bulk(Flux<Write> many, BulkOptions options) {
        return Mono.defer(() -> new BulkRun(options, client::submitTransaction).perform(many));
    }

    private Stored<T> stored(T value, String etag) {
        return new Stored<>(value, mapping().key(value), etag, Optional.empty(), Map.of());
    }

    /** Executes one write; returns the new ETag, or an empty string for a delete. */
    public Mono<String> perform(Write write) {
        TableEntity entity = write.row().toTableEntity();
        boolean conditional = write.conditional();
        Mono<Response<Void>> response = switch (write.type()) {
            case CREATE -> client.createEntityWithResponse(entity);
            case UPSERT_MERGE -> client.upsertEntityWithResponse(entity, TableEntityUpdateMode.MERGE);
            case UPSERT_REPLACE -> client.upsertEntityWithResponse(entity, TableEntityUpdateMode.REPLACE);
            case UPDATE_MERGE -> client.updateEntityWithResponse(entity, TableEntityUpdateMode.MERGE, conditional);
            case UPDATE_REPLACE -> client.updateEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, conditional);
            case DELETE -> client.deleteEntityWithResponse(entity, conditional);
        };
        return response.map(Responses::etag);
    }
}
