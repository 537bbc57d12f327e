package dev.trestle.patterns.index;

import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Query;
import dev.trestle.patterns.Write;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.query.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The intra-partition secondary index pattern: each entity is stored several times in its partition, under different row keys, so
 * that point queries and range queries work by each of them.
 *
 * <pre>{@code
 * IntraPartitionIndex<Employee> employees =
 *         IntraPartitionIndex.of(EntityTable.of(client, employee), List.of(byEmail));
 *
 * employees.update(new EntityKey("Sales", "empid_000223"), jones -> jones.withEmail("jun@contoso.com"));
 * }</pre>
 *
 * <p>Promise: strongly consistent. An entity and all its copies are written in one transaction, so they always agree, and every
 * index is unique. This holds if all writers use this class.
 *
 * <p>A scan of the whole partition returns every copy; query a range of row keys with a common prefix instead. Thread-safe.
 */
public final class IntraPartitionIndex<T> {
    private final EntityTable<T> primary;
    private final List<Copy<T, ?>> copies;

    private IntraPartitionIndex(EntityTable<T> primary, List<Copy<T, ?>> copies) {
        this.primary = primary;
        this.copies = copies;
    }

    /** Returns a table with copies of its entities in the same partitions. */
    public static <T> IntraPartitionIndex<T> of(EntityTable<T> primary, List<Copy<T, ?>> copies) {
        return new IntraPartitionIndex<>(primary, List.copyOf(copies));
    }

    /** Inserts an entity and its copies; throws {@link KeyTakenException} if one of their keys exists. */
    public void insert(T value) {
        List<Write> writes = new ArrayList<>();
        writes.add(primary.writes().insert(value));
        for (Copy<T, ?> copy : copies) {
            copy.row(value).ifPresent(row -> writes.add(write(TableTransactionActionType.CREATE, row)));
        }
        transact(writes);
    }

    /** Changes an entity and its copies with optimistic concurrency; retries on conflict. */
    public void update(EntityKey key, UnaryOperator<T> change) {
        ConflictRetry.standard().call(() -> {
            Stored<T> current = read(key);
            T changed = change.apply(current.value());
            List<Write> writes = new ArrayList<>();
            // The ETag of the primary guards the copies too: they never change without it.
            writes.add(primary.writes().replace(current.with(changed)));
            for (Copy<T, ?> copy : copies) {
                addMove(writes, copy.key(current.value()), copy.row(changed));
            }
            transact(writes);
            return key;
        });
    }

    private void addMove(List<Write> writes, Optional<EntityKey> old, Optional<EntityRow> changed) {
        boolean stays = old.isPresent()
                && changed.isPresent()
                && old.get().equals(changed.get().key());
        if (old.isPresent() && !stays) {
            writes.add(primary.writes().delete(old.get()));
        }
        changed.ifPresent(row -> writes.add(
                write(stays ? TableTransactionActionType.UPSERT_REPLACE : TableTransactionActionType.CREATE, row)));
    }

    /** Deletes an entity and its copies. Succeeds if there is none. */
    public void delete(EntityKey key) {
        ConflictRetry.standard().call(() -> {
            primary.find(key).ifPresent(this::delete);
            return key;
        });
    }

    private void delete(Stored<T> current) {
        List<Write> writes = new ArrayList<>();
        writes.add(primary.writes().delete(current));
        for (Copy<T, ?> copy : copies) {
            copy.key(current.value())
                    .ifPresent(key -> writes.add(primary.writes().delete(key)));
        }
        transact(writes);
    }

    /** Reads an entity by its primary key, with a point query. */
    public Optional<Stored<T>> find(EntityKey key) {
        return primary.find(key);
    }

    /** Reads a copy by its key, with a point query; {@code copy.type()} makes the key. */
    public <C> Optional<Stored<C>> find(Copy<T, C> copy, EntityKey key) {
        return table(copy).find(key);
    }

    /** Returns a query of the copies, in the order of their keys. The filter has to select a row key range of these copies only. */
    public <C> Query<C> where(Copy<T, C> copy, Filter filter) {
        return table(copy).where(filter);
    }

    private <C> EntityTable<C> table(Copy<T, C> copy) {
        if (!copies.contains(copy)) {
            throw new IllegalArgumentException("Not an index of this table: " + copy.type());
        }
        return EntityTable.of(primary.client(), copy.type());
    }

    private Stored<T> read(EntityKey key) {
        return primary.find(key).orElseThrow(() -> new NoSuchElementException("Entity not found: " + key));
    }

    private static Write write(TableTransactionActionType type, EntityRow row) {
        return new Write(type, row, false);
    }

    private void transact(List<Write> writes) {
        try {
            primary.transact(writes);
        } catch (TableTransactionFailedException e) {
            // A retry would not help: the key belongs to another entity.
            if (e.getValue() != null
                    && TableErrorCode.ENTITY_ALREADY_EXISTS.equals(e.getValue().getErrorCode())) {
                int failed =
                        Optional.ofNullable(e.getFailedTransactionActionIndex()).orElse(0);
                throw new KeyTakenException(writes.get(failed).key(), e);
            }
            throw e;
        }
    }
}
