package dev.trestle.patterns.outbox;

import static dev.trestle.patterns.query.Filters.partitionKey;
import static dev.trestle.patterns.query.Filters.rowKey;

import com.azure.core.util.logging.ClientLogger;
import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Write;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A table whose entities are followed by data in other partitions, tables or services.
 *
 * <pre>{@code
 * FollowedTable<Employee> employees = FollowedTable.of(EntityTable.of(client, employee), queue, List.of(byEmail));
 *
 * employees.update(new EntityKey("empid_Sales", "000223"), e -> e.reachedAt("jun@contoso.com"));
 * }</pre>
 *
 * <p>Promise: each change is written in one transaction with an entry of what it makes to settle, so that a change that is made
 * is never forgotten. When {@link #worker a worker} has dealt with all entries and nobody writes, every follower agrees with the
 * entities. Until then followers may be behind; a worker may stop anywhere and several may work at once. A writer that stops
 * right after its transaction leaves an entry that no message tells of: the next change in its partition, or {@link #sweep},
 * finds it.
 *
 * <p>It holds as long as all writers go through this class. The entries have row keys that begin with "outbox_".
 */
public final class FollowedTable<T> {
    private static final ClientLogger LOG = new ClientLogger(FollowedTable.class);

    private final EntityTable<T> table;
    private final EntityTable<OutboxEntry> outbox;
    private final TransactionQueue<String> queue;
    private final List<Follower<T>> followers;

    private FollowedTable(EntityTable<T> table, TransactionQueue<String> queue, List<Follower<T>> followers) {
        this.table = table;
        this.outbox = EntityTable.of(table.client(), OutboxEntry.class);
        this.queue = queue;
        this.followers = followers;
    }

    /** A table, a queue that only it uses, and what follows. Followers may be added later, at the end. */
    public static <T> FollowedTable<T> of(
            EntityTable<T> table, TransactionQueue<String> queue, List<? extends Follower<T>> followers) {
        return new FollowedTable<>(table, queue, List.copyOf(followers));
    }

    /** The entities, to be read. */
    public EntityTable<T> table() {
        return table;
    }

    /** Inserts an entity; fails if there is one with its keys. */
    public void insert(T value) {
        EntityKey key = table.mapping().key(value);
        commit(table.writes().insert(value), key, List.of(value));
    }

    /** Changes an entity, again and again until no other writer came between. */
    public void update(EntityKey key, UnaryOperator<T> change) {
        ConflictRetry.standard().call(() -> {
            Stored<T> current =
                    table.find(key).orElseThrow(() -> new NoSuchElementException("There is no entity " + key));
            T changed = change.apply(current.value());
            commit(table.writes().replace(current.with(changed)), key, List.of(current.value(), changed));
            return key;
        });
    }

    /** Deletes an entity. To find nothing is no failure. */
    public void delete(EntityKey key) {
        ConflictRetry.standard().call(() -> {
            table.find(key).ifPresent(current -> commit(table.writes().delete(current), key, List.of(current.value())));
            return key;
        });
    }

    private void commit(Write write, EntityKey key, List<T> values) {
        List<List<String>> places = new ArrayList<>();
        for (Follower<T> follower : followers) {
            Set<String> those = new LinkedHashSet<>();
            values.forEach(value -> those.addAll(follower.places(value)));
            places.add(List.copyOf(those));
        }
        String id = UUID.randomUUID().toString();
        OutboxEntry entry = new OutboxEntry(key.partitionKey(), id, key.rowKey(), places);
        table.transact(List.of(write, outbox.writes().insert(entry)));
        announce(key.partitionKey());
    }

    private void announce(String partition) {
        try {
            queue.begin(partition);
        } catch (RuntimeException e) {
            // The change is made and its entry is safe, so to fail here would tell the caller something wrong.
            LOG.warning("The queue does not know of an entry in the outbox; the next change or sweep will find it", e);
        }
    }

    /** Somebody to settle what is in the outbox, told by the queue. */
    public Worker<String> worker(WorkerOptions options) {
        return queue.worker(EventualTransaction.of("settle", this::settle), options);
    }

    /** Tells the queue of all partitions with entries. It reads the whole table, so run it seldom, as when workers start. */
    public int sweep() {
        Set<String> partitions = new LinkedHashSet<>();
        outbox.where(rowKey().startsWith(OutboxEntry.PREFIX))
                .allowTableScan()
                .stored()
                .forEach(entry -> partitions.add(entry.key().partitionKey()));
        partitions.forEach(queue::begin);
        return partitions.size();
    }

    /** Settles everything in the outbox of a partition, here and now. */
    public void settle(String partition) {
        outbox.where(partitionKey().eq(partition).and(rowKey().startsWith(OutboxEntry.PREFIX)))
                .stored()
                .toList()
                .forEach(entry -> {
                    settle(entry.value());
                    outbox.delete(entry.key());
                });
    }

    private void settle(OutboxEntry entry) {
        EntityKey key = new EntityKey(entry.partition(), entry.rowKey());
        for (int i = 0; i < Math.min(followers.size(), entry.places().size()); i++) {
            for (String place : entry.places().get(i)) {
                settle(followers.get(i), place, key);
            }
        }
    }

    /**
     * A place that was empty when it was read has no state to write on condition of, so that a slow worker could bring back what
     * another has removed meanwhile. Hence the second look: if the entity is not what it was, once more.
     */
    private void settle(Follower<T> follower, String place, EntityKey key) {
        Optional<String> seen;
        do {
            Current current = new Current(key);
            ConflictRetry.standard().call(() -> {
                follower.settle(place, key, current);
                return key;
            });
            seen = current.etag;
        } while (!seen.equals(table.find(key).map(Stored::etag)));
    }

    /** Reads the entity and remembers in which state it was. */
    private final class Current implements Supplier<Optional<T>> {
        private final EntityKey key;
        private Optional<String> etag = Optional.empty();

        Current(EntityKey key) {
            this.key = key;
        }

        @Override
        public Optional<T> get() {
            Optional<Stored<T>> found = table.find(key);
            etag = found.map(Stored::etag);
            return found.map(Stored::value);
        }
    }
}
