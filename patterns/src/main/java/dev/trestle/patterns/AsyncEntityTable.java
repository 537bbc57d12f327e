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
 * {@link EntityTable} for callers that do not wait: the same operations with the same promises. Nothing happens before somebody
 * subscribes.
 *
 * <pre>{@code
 * AsyncEntityTable<Employee> reactive = AsyncEntityTable.of(asyncClient, Employee.class);
 * Flux<Employee> inserted = reactive.insert(jones())
 *         .thenMany(reactive.partition("Sales").flux());
 * }</pre>
 */
public final class AsyncEntityTable<T> {
    private final TableAsyncClient client;
    private final Rows<T> rows;
    private final EntityWrites<T> writes;

    private AsyncEntityTable(TableAsyncClient client, Rows<T> rows) {
        this.client = client;
        this.rows = rows;
        this.writes = new EntityWrites<>(rows);
    }

    /** A table of a record, a plain class, or all classes of a sealed interface. */
    public static <T> AsyncEntityTable<T> of(TableAsyncClient client, Class<T> type) {
        return of(client, EntityMapping.of(type));
    }

    public static <T> AsyncEntityTable<T> of(TableAsyncClient client, EntityMapping<T> mapping) {
        return new AsyncEntityTable<>(client, new Rows<>(mapping, Optional.empty()));
    }

    /** The same, encrypting the properties that the mapping or the encryption says. */
    public static <T> AsyncEntityTable<T> of(
            TableAsyncClient client, EntityMapping<T> mapping, PropertyEncryption encryption) {
        return new AsyncEntityTable<>(client, new Rows<>(mapping, Optional.of(encryption)));
    }

    public EntityMapping<T> mapping() {
        return rows.mapping();
    }

    public TableAsyncClient client() {
        return client;
    }

    /** Makes writes of this table's values, for {@link #transact} and {@link #bulk}. */
    public EntityWrites<T> writes() {
        return writes;
    }

    /** Creates the table on the service, if it is not there. */
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

    /** The entity with this key, by a point read; empty if there is none. */
    public Mono<Stored<T>> find(EntityKey key) {
        return client.getEntity(key.partitionKey(), key.rowKey())
                .map(rows::read)
                .onErrorResume(Answers::isMissing, missing -> Mono.empty());
    }

    /** All entities that fulfil a filter. */
    public AsyncQuery<T> where(Filter filter) {
        QuerySpec<T> spec = new QuerySpec<>(
                mapping(), filter, Long.MAX_VALUE, QuerySpec.PAGE_SIZE_MAX, false, List.of(), rows::read);
        return new AsyncQuery<>(client, new Projections(rows), spec);
    }

    /** All entities of a partition. */
    public AsyncQuery<T> partition(String partitionKey) {
        return where(Filters.partitionKey().eq(partitionKey));
    }

    /** Inserts a value; fails if there is an entity with its keys. */
    public Mono<Stored<T>> insert(T value) {
        return Mono.defer(() -> perform(writes.insert(value))).map(etag -> stored(value, etag));
    }

    /** Inserts a value, or replaces what is there. */
    public Mono<Stored<T>> upsert(T value) {
        return Mono.defer(() -> perform(writes.upsert(value))).map(etag -> stored(value, etag));
    }

    /** Inserts a value, or sets its properties in what is there; returns the new ETag. */
    public Mono<String> upsertMerge(T value) {
        return Mono.defer(() -> perform(writes.upsertMerge(value)));
    }

    /** Sets properties of what is there, or of a new entity; returns the new ETag. */
    public Mono<String> upsertMerge(EntityKey key, Delta<T> delta) {
        return Mono.defer(() -> perform(writes.upsertMerge(key, delta)));
    }

    /** Replaces what was read, if it has not changed since. */
    public Mono<Stored<T>> replace(Stored<T> stored) {
        return Mono.defer(() -> perform(writes.replace(stored))).map(stored::writtenAs);
    }

    /** Replaces what is there, in whatever state; fails if there is nothing. */
    public Mono<Stored<T>> replaceUnconditionally(T value) {
        return Mono.defer(() -> perform(writes.replaceUnconditionally(value))).map(etag -> stored(value, etag));
    }

    /** Changes some properties of what was read, if it has not changed since; returns the new ETag. */
    public Mono<String> merge(Stored<T> stored, Delta<T> delta) {
        return Mono.defer(() -> perform(writes.merge(stored, delta)));
    }

    /** Changes some properties of what is there, in whatever state; fails if there is nothing; returns the new ETag. */
    public Mono<String> merge(EntityKey key, Delta<T> delta) {
        return Mono.defer(() -> perform(writes.merge(key, delta)));
    }

    /** Deletes what was read, if it has not changed since. */
    public Mono<Void> delete(Stored<T> stored) {
        return Mono.defer(() -> perform(writes.delete(stored))).then();
    }

    /** Deletes what is there, in whatever state. To find nothing is no failure. */
    public Mono<Void> delete(EntityKey key) {
        return Mono.defer(() -> perform(writes.delete(key))).then();
    }

    /** Reads an entity, changes it and replaces it, again and again until no other writer came between. */
    public Mono<Stored<T>> update(EntityKey key, UnaryOperator<T> change) {
        return ConflictRetry.standard()
                .mono(() -> find(key)
                        .switchIfEmpty(Mono.error(() -> new NoSuchElementException("There is no entity " + key)))
                        .flatMap(current -> replace(current.with(change.apply(current.value())))));
    }

    /** The same for an entity that may not be there yet, in which case it is inserted. */
    public Mono<Stored<T>> compute(EntityKey key, Function<Optional<T>, T> change) {
        return ConflictRetry.standard()
                .mono(() -> find(key)
                        .flatMap(current -> replace(current.with(change.apply(Optional.of(current.value())))))
                        .switchIfEmpty(Mono.defer(() -> insert(change.apply(Optional.empty())))));
    }

    /** Performs all writes or none. They are of one partition, at most 100. The SDK does not tell the new ETags. */
    public Mono<Void> transact(List<Write> transaction) {
        return Mono.defer(() -> client.submitTransaction(Transactions.actions(transaction)))
                .then();
    }

    /** Performs any number of writes, in transactions where they share a partition; see {@link BulkOptions}. */
    public Mono<BulkResult> bulk(Flux<Write> many, BulkOptions options) {
        return Mono.defer(() -> new BulkRun(options, client::submitTransaction).perform(many));
    }

    private Stored<T> stored(T value, String etag) {
        return new Stored<>(value, mapping().key(value), etag, Optional.empty(), Map.of());
    }

    /** Performs one write; returns the new ETag, or an empty text for a deletion. */
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
        return response.map(Answers::etag);
    }
}
