package dev.trestle.patterns.layout;

import dev.trestle.patterns.ConflictRetry;
import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.Write;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The denormalization pattern: an entity holds a copy of data from another entity of its partition, such as the manager's name in
 * a department, so that one point query reads both.
 *
 * <pre>{@code
 * Denormalization<Employee, Department> managers = Denormalization.of(
 *         employees,
 *         departments,
 *         employee -> Optional.of(new EntityKey(employee.department(), "department")),
 *         Department::managedBy);
 *
 * managers.update(jones, employee -> employee.withLastName("Smith"));
 * }</pre>
 *
 * <p>Promise: strongly consistent. The source and the target change in one transaction, so the copy is never stale. This holds if
 * all changes of the source use this class. For a target in another partition, write a
 * {@link dev.trestle.patterns.outbox.Follower}.
 *
 * @param <S> the type of the source of the copy, such as an employee
 * @param <T> the type of the target with the copy, such as a department
 */
public final class Denormalization<S, T> {
    private final EntityTable<S> sources;
    private final EntityTable<T> targets;
    private final Function<S, Optional<EntityKey>> target;
    private final BiFunction<T, S, T> copied;

    private Denormalization(
            EntityTable<S> sources,
            EntityTable<T> targets,
            Function<S, Optional<EntityKey>> target,
            BiFunction<T, S, T> copied) {
        this.sources = sources;
        this.targets = targets;
        this.target = target;
        this.copied = copied;
    }

    /**
     * Returns a denormalization between entities of one table.
     *
     * @param target the key of the target of a source, in the same partition; the target need not exist
     * @param copied returns the target with a copy of the source, or unchanged if it does not refer to this source
     */
    public static <S, T> Denormalization<S, T> of(
            EntityTable<S> sources,
            EntityTable<T> targets,
            Function<S, Optional<EntityKey>> target,
            BiFunction<T, S, T> copied) {
        return new Denormalization<>(sources, targets, target, copied);
    }

    /** Changes a source and its copy with optimistic concurrency; retries on conflict. */
    public void update(EntityKey key, UnaryOperator<S> change) {
        update(key, change, unchanged -> unchanged);
    }

    /** Changes the target so that it refers to a source, such as a department that gets a new manager; retries on conflict. */
    public void refer(EntityKey source, UnaryOperator<T> change) {
        update(source, unchanged -> unchanged, change);
    }

    private void update(EntityKey key, UnaryOperator<S> change, UnaryOperator<T> changeOfTarget) {
        ConflictRetry.standard().call(() -> {
            Stored<S> current =
                    sources.find(key).orElseThrow(() -> new NoSuchElementException("Entity not found: " + key));
            S changed = change.apply(current.value());
            List<Write> writes = new ArrayList<>();
            // Writes both even if one is unchanged, so that a concurrent writer of either conflicts.
            writes.add(sources.writes().replace(current.with(changed)));
            target.apply(changed).flatMap(targets::find).ifPresent(found -> {
                T other = copied.apply(changeOfTarget.apply(found.value()), changed);
                writes.add(targets.writes().replace(found.with(other)));
            });
            sources.transact(writes);
            return key;
        });
    }
}
