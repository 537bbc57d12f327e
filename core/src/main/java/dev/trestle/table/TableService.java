package dev.trestle.table;

import static dev.trestle.catalogue.EngineErrors.translateFailures;

import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EntityKey;
import dev.trestle.model.Limits;
import dev.trestle.model.Page;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.TableName;
import dev.trestle.plan.Planner;
import dev.trestle.plan.QueryPlan;
import dev.trestle.table.EntityQuery.Continuation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The Table service of all accounts on one engine. Stages fail with {@link StorageException} for errors of the
 * client.
 */
public final class TableService {
    /** The only property that a query on tables can compare. */
    public static final String TABLE_NAME = "TableName";

    /** Sorts before all names of clients' tables and after those of the service's own tables. */
    private static final String FIRST_LISTED = "a";

    private static final CommitResult TABLE_GONE = new CommitResult.Refused(0, CommitResult.Reason.COLLECTION_DROPPED);

    private final Engine engine;
    private final Catalogue catalogue;

    public TableService(Engine engine, Catalogue catalogue) {
        this.engine = engine;
        this.catalogue = catalogue;
    }

    /** Creates a table for a client. */
    public CompletionStage<Void> createTable(String account, TableName name) {
        if (name.isOfTheService()) {
            return CompletableFuture.failedFuture(new StorageException(StorageError.INVALID_RESOURCE_NAME));
        }
        return translateFailures(catalogue
                .create(account, name.value(), Map.of())
                .thenAccept(created ->
                        StorageException.throwUnless(created.isPresent(), StorageError.TABLE_ALREADY_EXISTS)));
    }

    /** Returns a table of the service itself, and creates it if it does not exist. */
    public CompletionStage<Table> ownTable(String account, TableName name) {
        return translateFailures(catalogue
                .find(account, name.value())
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(toTable(account, found.get()))
                        : catalogue
                                .create(account, name.value(), Map.of())
                                .thenCompose(created -> table(account, name))));
    }

    public CompletionStage<Void> deleteTable(String account, TableName name) {
        if (name.isOfTheService()) {
            return CompletableFuture.failedFuture(new StorageException(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS));
        }
        return translateFailures(catalogue
                .delete(account, name.value())
                .thenAccept(deleted -> StorageException.throwUnless(deleted, StorageError.RESOURCE_NOT_FOUND)));
    }

    /** Returns the table, or fails with {@link StorageError#TABLE_NOT_FOUND}. */
    public CompletionStage<Table> table(String account, TableName name) {
        return translateFailures(catalogue
                .find(account, name.value())
                .thenApply(found -> found.map(table -> toTable(account, table))
                        .orElseThrow(() -> new StorageException(StorageError.TABLE_NOT_FOUND))));
    }

    public CompletionStage<Optional<Table>> findTable(String account, TableName name) {
        return translateFailures(
                catalogue.find(account, name.value()).thenApply(found -> found.map(table -> toTable(account, table))));
    }

    private static Table toTable(String account, CatalogueEntry collection) {
        return new Table(
                account,
                new TableName(collection.name()),
                collection.id(),
                collection.created(),
                collection.policies());
    }

    /** Lists the tables of clients. The service's own tables are not listed; {@link #table} finds them by name. */
    public CompletionStage<Page<String, String>> queryTables(
            String account, Filter filter, int top, Optional<String> from) {
        if (top == 0) {
            return CompletableFuture.completedFuture(Page.empty());
        }
        String first = from.filter(name -> name.compareTo(FIRST_LISTED) > 0).orElse(FIRST_LISTED);
        return translateFailures(catalogue
                .list(account, filter, TABLE_NAME, top, first)
                .thenApply(page -> page.map(CatalogueEntry::name)));
    }

    public CompletionStage<Void> setPolicies(String account, TableName name, List<AccessPolicy> policies) {
        if (name.isOfTheService()) {
            return CompletableFuture.failedFuture(new StorageException(StorageError.INSUFFICIENT_ACCOUNT_PERMISSIONS));
        }
        return translateFailures(catalogue
                .setPolicies(account, name.value(), policies)
                .thenAccept(found -> StorageException.throwUnless(found, StorageError.RESOURCE_NOT_FOUND)));
    }

    /** Returns the encoded entity of a key that {@link Table#key} has returned. */
    public CompletionStage<Optional<byte[]>> read(Key key) {
        return translateFailures(engine.read(key));
    }

    public CompletionStage<EntityPage> query(Table table, EntityQuery query) {
        QueryPlan plan = Planner.plan(Filter.and(List.of(query.filter(), query.scope())));
        if (query.top() == 0) {
            return CompletableFuture.completedFuture(
                    new EntityPage(new RowPage.Builder().end(), Optional.empty(), plan));
        }
        List<KeyRange> ranges = remaining(plan.ranges(table.id()), table, query.from());
        if (ranges.size() == 1
                && plan.spans().size() == 1
                && plan.spans().get(0).isPoint()) {
            return translateFailures(point(Key.ofBytes(ranges.get(0).from()), plan));
        }
        Scan scan = new Scan(
                ranges,
                plan.residual(),
                query.select(),
                new Scan.Limits(query.top(), query.bytes(), Limits.PAGE_TIME_MAX));
        return translateFailures(engine.scan(scan)
                .thenApply(page -> new EntityPage(page, page.resume().map(TableService::next), plan)));
    }

    private static List<KeyRange> remaining(List<KeyRange> ranges, Table table, Optional<Continuation> from) {
        if (from.isEmpty()) {
            return ranges;
        }
        Continuation next = from.get();
        byte[] position = next.rowKey().isPresent()
                ? Key.of(table.id(), next.partitionKey(), next.rowKey().get()).bytes()
                : Key.beforePartition(table.id(), next.partitionKey());
        return ranges.stream()
                .map(range -> range.startingAt(position))
                .filter(range -> !range.isEmpty())
                .toList();
    }

    private static Continuation next(Key key) {
        return new Continuation(key.partitionKey(), Optional.of(key.rowKey()));
    }

    /** Returns a page of at most one row, by a point read instead of a scan. */
    private CompletionStage<EntityPage> point(Key key, QueryPlan plan) {
        return engine.read(key).thenApply(row -> {
            RowPage.Builder page = new RowPage.Builder();
            row.ifPresent(bytes -> {
                page.examine();
                if (RowMatcher.of(plan.residual()).matches(key, bytes)) {
                    page.add(key.bytes(), key.bytes().length, bytes, bytes.length);
                }
            });
            return new EntityPage(page.end(), Optional.empty(), plan);
        });
    }

    /**
     * Applies all writes atomically, in the order given, and returns the version of all written entities. An error
     * has the index of the operation that caused it.
     */
    public CompletionStage<Long> transact(Table table, List<EntityWrite> writes) {
        try {
            return translateFailures(commit(table, writes));
        } catch (StorageException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<Long> commit(Table table, List<EntityWrite> writes) {
        checkTransaction(writes);
        List<Write> commits = new ArrayList<>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            try {
                commits.add(toWrite(table, writes.get(i)));
            } catch (StorageException e) {
                throw e.at(i);
            }
        }
        String partitionKey = writes.get(0).key().partitionKey();
        Commit commit = new Commit(table.id(), partitionKey, commits);
        return catalogue
                .use(
                        table.account(),
                        table.name().value(),
                        table.id(),
                        current -> current ? engine.commit(commit) : CompletableFuture.completedFuture(TABLE_GONE))
                .thenApply(result -> {
                    if (result instanceof CommitResult.Committed committed) {
                        return committed.version();
                    }
                    CommitResult.Refused refused = (CommitResult.Refused) result;
                    throw new StorageException(errorOf(refused.reason())).at(refused.index());
                });
    }

    private static void checkTransaction(List<EntityWrite> writes) {
        if (writes.size() > Limits.TRANSACTION_OPERATIONS_MAX) {
            throw new StorageException(
                            StorageError.INVALID_INPUT,
                            "The batch request operation exceeds the maximum 100 changes per change set.")
                    .at(Limits.TRANSACTION_OPERATIONS_MAX - 1);
        }
        if (writes.size() == 1) {
            return;
        }
        String partitionKey = writes.get(0).key().partitionKey();
        Set<String> rowKeys = new HashSet<>();
        for (int i = 0; i < writes.size(); i++) {
            EntityKey key = writes.get(i).key();
            if (!key.partitionKey().equals(partitionKey)) {
                throw new StorageException(StorageError.COMMANDS_IN_BATCH_ACT_ON_DIFFERENT_PARTITIONS).at(i);
            }
            if (!rowKeys.add(key.rowKey())) {
                throw new StorageException(StorageError.INVALID_DUPLICATE_ROW).at(i);
            }
        }
    }

    private static Write toWrite(Table table, EntityWrite write) {
        Key key = table.key(write.key());
        int keyUnits =
                write.key().partitionKey().length() + write.key().rowKey().length();
        return switch (write.kind()) {
            case INSERT, REPLACE, INSERT_OR_REPLACE -> {
                checkRow(keyUnits, write.row());
                yield new Write.Put(key, write.row(), write.precondition());
            }
            case MERGE, INSERT_OR_MERGE -> {
                checkRow(keyUnits, write.row());
                yield new Write.Merge(
                        key,
                        write.row(),
                        write.precondition(),
                        new Write.RowLimits(Limits.PROPERTIES_MAX, keyUnits, Limits.ENTITY_BYTES_MAX));
            }
            case DELETE -> new Write.Delete(key, write.precondition());
        };
    }

    private static void checkRow(int keyUnits, byte[] row) {
        if (Rows.propertyCount(row) > Limits.PROPERTIES_MAX) {
            throw new StorageException(StorageError.TOO_MANY_PROPERTIES);
        }
        if (!Rows.withinDocumentedSize(keyUnits, row, Limits.ENTITY_BYTES_MAX)) {
            throw new StorageException(StorageError.ENTITY_TOO_LARGE);
        }
    }

    private static StorageError errorOf(CommitResult.Reason reason) {
        return switch (reason) {
            case ROW_EXISTS -> StorageError.ENTITY_ALREADY_EXISTS;
            case ROW_MISSING -> StorageError.RESOURCE_NOT_FOUND;
            case VERSION_DIFFERS -> StorageError.UPDATE_CONDITION_NOT_SATISFIED;
            case TOO_MANY_COLUMNS -> StorageError.TOO_MANY_PROPERTIES;
            case ROW_TOO_LARGE -> StorageError.ENTITY_TOO_LARGE;
            case COLLECTION_DROPPED -> StorageError.TABLE_NOT_FOUND;
        };
    }
}
