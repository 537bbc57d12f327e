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
 * A table with a transactional outbox: derived data in other partitions, tables or services, its {@link Follower}s, is brought in
 * step with the entities asynchronously.
 *
 * <pre>{@code
 * FollowedTable<Employee> employees = FollowedTable.of(EntityTable.of(client, employee), queue, List.of(byEmail));
 *
 * employees.update(new EntityKey("empid_Sales", "000223"), e -> e.withEmail("jun@contoso.com"));
 * }</pre>
 *
 * <p>Promise: each change is written in one transaction with an outbox entry, so followers never miss a change. Once
 * {@link #worker a worker} has processed all entries and there are no more writes, every follower agrees with the entities; until
 * then followers may be stale. Workers may crash at any point, and several may run in parallel. A writer that crashes right after
 * its transaction leaves an entry without a message: the next change in its partition, or {@link #sweep}, finds it.
 *
 * <p>This holds if all writers use this class. The row keys of outbox entries start with "outbox_". Thread-safe.
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

    /** Returns a table with followers, and a queue that no other table may use. Append new followers at the end of the list. */
    public static <T> FollowedTable<T> of(
            EntityTable<T> table, TransactionQueue<String> queue, List<? extends Follower<T>> followers) {
        return new FollowedTable<>(table, queue, List.copyOf(followers));
    }

    /** Returns the table of the entities, for reading only. */
    public EntityTable<T> table() {
        return table;
    }

    /** Inserts an entity; fails if one with its key exists. */
    public void insert(T value) {
        EntityKey key = table.mapping().key(value);
        commit(table.writes().insert(value), key, List.of(value));
    }

    /** Changes an entity with optimistic concurrency; retries on conflict. */
    public void update(EntityKey key, UnaryOperator<T> change) {
        ConflictRetry.standard().call(() -> {
            Stored<T> current =
                    table.find(key).orElseThrow(() -> new NoSuchElementException("Entity not found: " + key));
            T changed = change.apply(current.value());
            commit(table.writes().replace(current.with(changed)), key, List.of(current.value(), changed));
            return key;
        });
    }

    /** Deletes an entity. Succeeds if there is none. */
    public void delete(EntityKey key) {
        ConflictRetry.standard().call(() -> {
            table.find(key).ifPresent(current -> commit(table.writes().delete(current), key, List.of(current.value())));
            return key;
        });
    }

    private void commit(Write write, EntityKey key, List<T> values) {
        List<List<String>> places = new ArrayList<>();
        for (Follower<T> follower : followers) {
            Set<String> affected = new LinkedHashSet<>();
            values.forEach(value -> affected.addAll(follower.places(value)));
            places.add(List.copyOf(affected));
        }
        String id = UUID.randomUUID().toString();
        OutboxEntry entry = new OutboxEntry(key.partitionKey(), id, key.rowKey(), places);
        table.transact(List.of(write, outbox.writes().insert(entry)));
        enqueue(key.partitionKey());
    }

    private void enqueue(String partition) {
        try {
            queue.begin(partition);
        } catch (RuntimeException e) {
            // The change and its outbox entry are committed, so the operation must not fail.
            LOG.warning(
                    "Could not enqueue an outbox entry; the next change in its partition or a sweep will process it",
                    e);
        }
    }

    /** Returns a worker that processes the outbox entries announced on the queue. */
    public Worker<String> worker(WorkerOptions options) {
        return queue.worker(EventualTransaction.of("settle", this::settle), options);
    }

    /**
     * Enqueues all partitions with outbox entries and returns their number. Scans the whole table, so run it rarely, for example
     * when workers start.
     */
    public int sweep() {
        Set<String> partitions = new LinkedHashSet<>();
        outbox.where(rowKey().startsWith(OutboxEntry.PREFIX))
                .allowTableScan()
                .stored()
                .forEach(entry -> partitions.add(entry.key().partitionKey()));
        partitions.forEach(queue::begin);
        return partitions.size();
    }

    /** Processes all outbox entries of a partition on the calling thread. */
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
     * Settles one place, and again if the entity changed in the meantime. A place that was empty has no ETag to make a write
     * conditional on, so without the second read a slow worker could restore what another has removed.
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

    /** Reads the entity and records its ETag. */
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
