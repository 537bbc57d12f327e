package dev.trestle.patterns.index;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableTransactionActionType;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Query;
import dev.trestle.patterns.Write;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.EntityRow;
import dev.trestle.patterns.entity.Stored;
import dev.trestle.patterns.outbox.Follower;
import dev.trestle.patterns.outbox.MessageFormat;
import dev.trestle.patterns.query.Filter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The inter-partition secondary index pattern: a copy of each entity in another partition or table, so that lookups by one key do
 * not load the partitions of the other.
 *
 * <pre>{@code
 * InterPartitionIndex<Employee, Employee> byEmail =
 *         InterPartitionIndex.of(client, Copy.of(employee.keyedBy("email_{department}", "{email}")));
 * FollowedTable<Employee> employees = FollowedTable.of(EntityTable.of(client, employee), queue, List.of(byEmail));
 * }</pre>
 *
 * <p>Promise: eventually consistent, as a follower of a {@link dev.trestle.patterns.outbox.FollowedTable}: copies agree with the
 * entities once the worker has caught up, whatever crashed in between. Until then a copy may be stale, or missing after its entity
 * moved to another key. If two entities claim the same copy key, the one settled last has it.
 */
public final class InterPartitionIndex<T, C> implements Follower<T> {
    /** The property with the owner of a copy, which keeps a late worker from deleting the copy of another entity. */
    public static final String COPY_OF = "CopyOf";

    private static final MessageFormat<EntityKey> KEYS = MessageFormat.entityKey();

    private final EntityTable<C> copies;
    private final Copy<T, C> copy;

    private InterPartitionIndex(EntityTable<C> copies, Copy<T, C> copy) {
        this.copies = copies;
        this.copy = copy;
    }

    /** Returns an index with its copies in a table, which may be that of the entities. */
    public static <T, C> InterPartitionIndex<T, C> of(TableClient table, Copy<T, C> copy) {
        return new InterPartitionIndex<>(EntityTable.of(table, copy.type()), copy);
    }

    /** Reads a copy by its key, with a point query. */
    public Optional<Stored<C>> find(EntityKey key) {
        return copies.find(key);
    }

    /** Returns a query of the copies, in the order of their keys. */
    public Query<C> where(Filter filter) {
        return copies.where(filter);
    }

    @Override
    public Set<String> places(T value) {
        return copy.key(value).map(KEYS.write()).map(Set::of).orElse(Set.of());
    }

    @Override
    public void settle(String place, EntityKey key, Supplier<Optional<T>> current) {
        EntityKey copyKey = KEYS.read().apply(place);
        String owner = KEYS.write().apply(key);
        Optional<Stored<C>> stored = copies.find(copyKey);
        Optional<C> wanted = current.get()
                .flatMap(copy.of())
                .filter(value -> copy.type().key(value).equals(copyKey));
        boolean ours = stored.map(
                        found -> owner.equals(found.unknownProperties().get(COPY_OF)))
                .orElse(false);
        if (wanted.isPresent() && stored.isPresent()) {
            if (!ours || !stored.get().value().equals(wanted.get())) {
                EntityRow changed =
                        row(wanted.get(), owner).withETag(stored.get().etag());
                copies.perform(new Write(TableTransactionActionType.UPDATE_REPLACE, changed, true));
            }
        } else if (wanted.isPresent()) {
            copies.perform(new Write(TableTransactionActionType.CREATE, row(wanted.get(), owner), false));
        } else if (ours) {
            copies.delete(stored.orElseThrow());
        }
    }

    private EntityRow row(C value, String owner) {
        EntityRow row = copy.type().toRow(value);
        Map<String, Object> properties = new LinkedHashMap<>(row.properties());
        properties.put(COPY_OF, owner);
        return row.withProperties(properties);
    }
}
