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
 * The guide's intra-partition secondary index: each entity is stored several times in its partition, under different row keys,
 * so that each of them finds it by a point query and sorts it in its own order.
 *
 * <pre>{@code
 * IntraPartitionIndex<Employee> employees =
 *         IntraPartitionIndex.of(EntityTable.of(client, employee), List.of(byEmail));
 *
 * employees.update(new EntityKey("Sales", "empid_000223"), jones -> jones.reachedAt("jun@contoso.com"));
 * }</pre>
 *
 * <p>Promise: all copies are written in one transaction, so that at every moment they are all there, all alike, or all gone; and
 * no two entities have the same key of any copy. It holds as long as all writers of these entities go through this class.
 *
 * <p>A scan of the whole partition meets every copy; ask for a range of row keys that begin alike. Safe for many threads.
 */
public final class IntraPartitionIndex<T> {
    private final EntityTable<T> primary;
    private final List<Copy<T, ?>> copies;

    private IntraPartitionIndex(EntityTable<T> primary, List<Copy<T, ?>> copies) {
        this.primary = primary;
        this.copies = copies;
    }

    /** Entities of a table with copies of them in the same table. */
    public static <T> IntraPartitionIndex<T> of(EntityTable<T> primary, List<Copy<T, ?>> copies) {
        return new IntraPartitionIndex<>(primary, List.copyOf(copies));
    }

    /** Inserts an entity and its copies. */
    public void insert(T value) {
        List<Write> writes = new ArrayList<>();
        writes.add(primary.writes().insert(value));
        for (Copy<T, ?> copy : copies) {
            copy.row(value).ifPresent(row -> writes.add(write(TableTransactionActionType.CREATE, row)));
        }
        transact(writes);
    }

    /** Changes an entity and all its copies, again and again until no other writer came between. */
    public void update(EntityKey key, UnaryOperator<T> change) {
        ConflictRetry.standard().call(() -> {
            Stored<T> current = read(key);
            T changed = change.apply(current.value());
            List<Write> writes = new ArrayList<>();
            // The ETag of the primary guards the copies too, since none of them changes without it.
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

    /** Deletes an entity and its copies. To find nothing is no failure. */
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

    /** The entity itself, by a point query. */
    public Optional<Stored<T>> find(EntityKey key) {
        return primary.find(key);
    }

    /** What a copy holds, by a point query; its key is made with {@code copy.type()}. */
    public <C> Optional<Stored<C>> find(Copy<T, C> copy, EntityKey key) {
        return table(copy).find(key);
    }

    /** Copies in the order of their keys. The filter names a range of row keys that only these copies have. */
    public <C> Query<C> where(Copy<T, C> copy, Filter filter) {
        return table(copy).where(filter);
    }

    private <C> EntityTable<C> table(Copy<T, C> copy) {
        if (!copies.contains(copy)) {
            throw new IllegalArgumentException("These entities have no copy " + copy.type());
        }
        return EntityTable.of(primary.client(), copy.type());
    }

    private Stored<T> read(EntityKey key) {
        return primary.find(key).orElseThrow(() -> new NoSuchElementException("There is no entity " + key));
    }

    private static Write write(TableTransactionActionType type, EntityRow row) {
        return new Write(type, row, false);
    }

    private void transact(List<Write> writes) {
        try {
            primary.transact(writes);
        } catch (TableTransactionFailedException e) {
            // Trying again would not help: the key belongs to another entity until that one is changed.
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
