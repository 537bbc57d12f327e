package dev.trestle.patterns.index;

import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionFailedException;
import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Write;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The index entities pattern, option 2: for each value that entities of a partition share, an index entity in the same partition
 * lists the row keys of the entities that have it.
 *
 * <pre>{@code
 * IndexEntitiesInPartition<Employee> employees =
 *         IndexEntitiesInPartition.of(table, "lastname", Employee::lastName);
 * employees.insert(Employee.of("Sales", 223, "Jones"));
 * }</pre>
 *
 * <p>Promise: strongly consistent. An entity and its lists change in one transaction, conditional on the ETags of the lists, so
 * each list always has exactly the entities with its value. This holds if all writers use this class. Writers of the same value
 * contend for its list, and a list holds about 1 MiB of keys.
 */
public final class IndexEntitiesInPartition<T> {
    private final EntityTable<T> table;
    private final EntityTable<IndexEntity> lists;
    private final String name;
    private final Function<T, Optional<String>> value;

    private IndexEntitiesInPartition(EntityTable<T> table, String name, Function<T, Optional<String>> value) {
        this.table = table;
        this.lists = EntityTable.of(table.client(), IndexEntity.TYPE);
        this.name = name;
        this.value = value;
    }

    /** Returns an index whose lists have the name, an underscore and the value as row keys. */
    public static <T> IndexEntitiesInPartition<T> of(EntityTable<T> table, String name, Function<T, String> value) {
        return new IndexEntitiesInPartition<>(table, name, entity -> Optional.of(value.apply(entity)));
    }

    /** Inserts an entity and adds it to its list; throws {@link KeyTakenException} if its key exists. */
    public void insert(T entity) {
        EntityKey key = table.mapping().key(entity);
        change(() -> commit(table.writes().insert(entity), key, Optional.empty(), value.apply(entity)));
    }

    /** Changes an entity and, if its value changes, moves it to another list in the same transaction. Retries on conflict. */
    public void update(EntityKey key, UnaryOperator<T> change) {
        change(() -> {
            Stored<T> current =
                    table.find(key).orElseThrow(() -> new NoSuchElementException("Entity not found: " + key));
            T changed = change.apply(current.value());
            Write replacement = table.writes().replace(current.with(changed));
            commit(replacement, key, value.apply(current.value()), value.apply(changed));
        });
    }

    /** Deletes an entity and removes it from its list. Succeeds if there is none. */
    public void delete(EntityKey key) {
        change(() -> table.find(key)
                .ifPresent(current ->
                        commit(table.writes().delete(current), key, value.apply(current.value()), Optional.empty())));
    }

    private static void change(Runnable attempt) {
        ConflictRetry.standard().call(() -> {
            attempt.run();
            return true;
        });
    }

    private void commit(Write write, EntityKey key, Optional<String> before, Optional<String> after) {
        List<Write> writes = new ArrayList<>();
        writes.add(write);
        if (!before.equals(after)) {
            String partition = key.partitionKey();
            before.flatMap(old -> write(listKey(partition, old), keys -> keys.remove(key.rowKey())))
                    .ifPresent(writes::add);
            after.flatMap(now -> write(listKey(partition, now), keys -> keys.add(key.rowKey())))
                    .ifPresent(writes::add);
        }
        try {
            table.transact(writes);
        } catch (TableTransactionFailedException e) {
            // A list created by another writer is a conflict to retry; an existing entity, at index 0, is not.
            boolean exists = e.getValue() != null
                    && TableErrorCode.ENTITY_ALREADY_EXISTS.equals(e.getValue().getErrorCode());
            if (exists && Integer.valueOf(0).equals(e.getFailedTransactionActionIndex())) {
                throw new KeyTakenException(key, e);
            }
            throw e;
        }
    }

    private Optional<Write> write(EntityKey listKey, Consumer<SortedSet<String>> change) {
        Optional<Stored<IndexEntity>> stored = lists.find(listKey);
        SortedSet<String> keys =
                new TreeSet<>(stored.map(list -> list.value().keys()).orElseGet(TreeSet::new));
        change.accept(keys);
        IndexEntity changed = IndexEntity.of(listKey, keys);
        if (keys.isEmpty()) {
            return stored.map(lists.writes()::delete);
        }
        return Optional.of(stored.map(list -> lists.writes().replace(list.with(changed)))
                .orElseGet(() -> lists.writes().insert(changed)));
    }

    private EntityKey listKey(String partition, String shared) {
        return new EntityKey(partition, IndexEntity.key(name, shared));
    }

    /** Returns the row keys of the entities of a partition with a value. */
    public SortedSet<String> keys(String partition, String shared) {
        return lists.find(listKey(partition, shared))
                .map(list -> list.value().keys())
                .orElseGet(TreeSet::new);
    }

    /** Returns the entities of a partition with a value: one request for the list and one for each entity. */
    public List<Stored<T>> find(String partition, String shared) {
        return keys(partition, shared).stream()
                .map(row -> table.find(partition, row))
                .flatMap(Optional::stream)
                .filter(found -> value.apply(found.value()).equals(Optional.of(shared)))
                .toList();
    }
}
