package dev.trestle.patterns.outbox;

import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * An eventually consistent transaction: idempotent steps in any partitions, tables or services, started by a message on a queue
 * and executed by a {@link Worker}.
 *
 * <pre>{@code
 * EventualTransaction<EntityKey> move = EventualTransaction.<EntityKey>of(
 *                 "copy", k -> current.find(k).ifPresent(found -> archive.upsert(found.value())))
 *         .then("delete", current::delete);
 *
 * archiving.begin(key);
 * }</pre>
 *
 * <p>Promise: after {@link TransactionQueue#begin} returns, every step runs at least once and in order, or the message ends on
 * the poison queue. If a worker crashes at any point, another runs all steps again from the first. So every step has to be
 * idempotent: replace instead of insert, and delete without failing if the entity is gone. There is no isolation: readers see
 * the effects of the steps done so far.
 *
 * @param <M> the type of the message
 */
public final class EventualTransaction<M> {
    private final List<Step<M>> steps;

    private record Step<M>(String name, Consumer<M> action) {}

    private EventualTransaction(List<Step<M>> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Returns a transaction with a first step. */
    public static <M> EventualTransaction<M> of(String name, Consumer<M> action) {
        return new EventualTransaction<>(List.of(new Step<>(name, action)));
    }

    /** Returns this transaction with another step at the end. */
    public EventualTransaction<M> then(String name, Consumer<M> action) {
        List<Step<M>> more = new ArrayList<>(steps);
        more.add(new Step<>(name, action));
        return new EventualTransaction<>(more);
    }

    /**
     * Returns a transaction that moves an entity from one table to another. The entity is always in at least one of them, and in
     * both for a while. If it is changed in the first table during the move, the transaction fails and is retried, so no change is
     * lost.
     */
    public static <T> EventualTransaction<EntityKey> move(EntityTable<T> current, EntityTable<T> archive) {
        return EventualTransaction.<EntityKey>of(
                        "copy", key -> current.find(key).ifPresent(found -> archive.upsert(found.value())))
                .then(
                        "delete the original",
                        key -> current.find(key).ifPresent(original -> {
                            Optional<T> archived = archive.find(
                                            archive.mapping().key(original.value()))
                                    .map(Stored::value);
                            if (!archived.equals(Optional.of(original.value()))) {
                                throw new IllegalStateException("Entity " + key + " changed during the move");
                            }
                            current.delete(original);
                        }));
    }

    /** Returns the names of the steps, in order. */
    public List<String> steps() {
        return steps.stream().map(Step::name).toList();
    }

    /** Runs all steps on the calling thread. */
    public void perform(M message) {
        for (Step<M> step : steps) {
            try {
                step.action.accept(message);
            } catch (RuntimeException e) {
                throw new StepFailedException(step.name, e);
            }
        }
    }
}
