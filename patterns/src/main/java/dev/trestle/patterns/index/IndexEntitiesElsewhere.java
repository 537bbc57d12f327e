package dev.trestle.patterns.index;

import com.azure.data.tables.TableClient;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.outbox.Follower;
import dev.trestle.patterns.outbox.MessageFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The index entities pattern, option 3: for each value that entities share, an index entity in a separate partition lists the keys
 * of the entities of all partitions that have it.
 *
 * <pre>{@code
 * IndexEntitiesElsewhere<Employee> byName = IndexEntitiesElsewhere.of(all, lists, "lastname", Employee::lastName);
 * }</pre>
 *
 * <p>Promise: eventually consistent, as a follower of a {@link dev.trestle.patterns.outbox.FollowedTable}: the lists agree with the
 * entities once the worker has caught up. Until then an entity may be missing from a list. {@link #find} never returns an entity
 * that no longer has the value, because it reads and checks each one. A list holds about 1 MiB of keys.
 */
public final class IndexEntitiesElsewhere<T> implements Follower<T> {
    private static final String ROW_KEY = "keys";
    private static final MessageFormat<EntityKey> KEYS = MessageFormat.entityKey();

    private final EntityTable<T> table;
    private final EntityTable<IndexEntity> lists;
    private final String name;
    private final Function<T, Optional<String>> value;

    private IndexEntitiesElsewhere(
            EntityTable<T> table, TableClient lists, String name, Function<T, Optional<String>> value) {
        this.table = table;
        this.lists = EntityTable.of(lists, IndexEntity.TYPE);
        this.name = name;
        this.value = value;
    }

    /** Returns an index with its lists in a table, which may be that of the entities. Their partition keys start with the name. */
    public static <T> IndexEntitiesElsewhere<T> of(
            EntityTable<T> table, TableClient lists, String name, Function<T, String> value) {
        return new IndexEntitiesElsewhere<>(table, lists, name, entity -> Optional.of(value.apply(entity)));
    }

    /** Returns the listed keys of the entities with a value. */
    public List<EntityKey> keys(String shared) {
        return lists.find(listKey(shared)).map(list -> list.value().keys()).orElseGet(TreeSet::new).stream()
                .map(KEYS.read())
                .toList();
    }

    /** Returns the entities with a value: one request for the list and one for each entity. */
    public List<Stored<T>> find(String shared) {
        return keys(shared).stream()
                .map(table::find)
                .flatMap(Optional::stream)
                .filter(found -> value.apply(found.value()).equals(Optional.of(shared)))
                .toList();
    }

    private EntityKey listKey(String shared) {
        return new EntityKey(IndexEntity.key(name, shared), ROW_KEY);
    }

    @Override
    public Set<String> places(T entity) {
        return value.apply(entity).map(Set::of).orElse(Set.of());
    }

    @Override
    public void settle(String shared, EntityKey key, Supplier<Optional<T>> current) {
        Optional<Stored<IndexEntity>> stored = lists.find(listKey(shared));
        boolean belongs = current.get().flatMap(value).equals(Optional.of(shared));
        SortedSet<String> keys =
                new TreeSet<>(stored.map(list -> list.value().keys()).orElseGet(TreeSet::new));
        String text = KEYS.write().apply(key);
        if (belongs ? !keys.add(text) : !keys.remove(text)) {
            return;
        }
        IndexEntity changed = IndexEntity.of(listKey(shared), keys);
        if (stored.isEmpty()) {
            lists.insert(changed);
        } else if (keys.isEmpty()) {
            lists.delete(stored.get());
        } else {
            lists.replace(stored.get().with(changed));
        }
    }
}
