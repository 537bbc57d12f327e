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
 * The guide's denormalization: an entity has a copy of what is often asked along with it from another entity of its partition,
 * as a department has the name of its manager, so that one point query brings both.
 *
 * <pre>{@code
 * Denormalization<Employee, Department> managers = Denormalization.of(
 *         employees,
 *         departments,
 *         employee -> Optional.of(new EntityKey(employee.department(), "department")),
 *         Department::managedBy);
 *
 * managers.update(jones, employee -> employee.called("Smith"));
 * }</pre>
 *
 * <p>Promise: the source and the entity with the copy change in one transaction, so that the copy is never behind. It holds as
 * long as all changes of the source go through this class. For an entity in another partition, write a
 * {@link dev.trestle.patterns.outbox.Follower}.
 *
 * @param <S> what is copied from, as an employee
 * @param <T> what has the copy, as a department
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
     * Both of one table.
     *
     * @param target which entity has a copy of a source, of the same partition; it need not be there
     * @param copied that entity with a copy of the source as it is now, or as it was if this source is not the one it copies
     */
    public static <S, T> Denormalization<S, T> of(
            EntityTable<S> sources,
            EntityTable<T> targets,
            Function<S, Optional<EntityKey>> target,
            BiFunction<T, S, T> copied) {
        return new Denormalization<>(sources, targets, target, copied);
    }

    /** Changes a source and the copy of it, again and again until no other writer came between. */
    public void update(EntityKey key, UnaryOperator<S> change) {
        update(key, change, unchanged -> unchanged);
    }

    /** Changes the entity with the copy so that it refers to a source, as a department that gets another manager. */
    public void refer(EntityKey source, UnaryOperator<T> change) {
        update(source, unchanged -> unchanged, change);
    }

    private void update(EntityKey key, UnaryOperator<S> change, UnaryOperator<T> changeOfTarget) {
        ConflictRetry.standard().call(() -> {
            Stored<S> current =
                    sources.find(key).orElseThrow(() -> new NoSuchElementException("There is no entity " + key));
            S changed = change.apply(current.value());
            List<Write> writes = new ArrayList<>();
            // Both are written even if one stays the same: whoever read the other state then conflicts.
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
