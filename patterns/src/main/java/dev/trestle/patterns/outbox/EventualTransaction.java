package dev.trestle.patterns.outbox;

import dev.trestle.patterns.EntityTable;
import dev.trestle.patterns.entity.EntityKey;
import dev.trestle.patterns.entity.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The guide's eventually consistent transaction: steps in any partitions, tables or services, begun by a message on a queue and
 * done by a {@link Worker}.
 *
 * <pre>{@code
 * EventualTransaction<EntityKey> move = EventualTransaction.<EntityKey>of(
 *                 "copy", k -> current.find(k).ifPresent(found -> archive.upsert(found.value())))
 *         .then("delete", current::delete);
 *
 * archiving.begin(key);
 * }</pre>
 *
 * <p>Promise: once {@link TransactionQueue#begin} has returned, every step is done at least once and in order, or the message is
 * on the poison queue. A worker that stops at any point is followed by another, which does all steps again from the first. So
 * each step has to be idempotent: to replace rather than to insert, to delete what may be gone. There is no isolation: others
 * see what is done so far.
 *
 * @param <M> what the message says
 */
public final class EventualTransaction<M> {
    private final List<Step<M>> steps;

    private record Step<M>(String name, Consumer<M> action) {}

    private EventualTransaction(List<Step<M>> steps) {
        this.steps = List.copyOf(steps);
    }

    /** The first step. */
    public static <M> EventualTransaction<M> of(String name, Consumer<M> action) {
        return new EventualTransaction<>(List.of(new Step<>(name, action)));
    }

    /** With another step at the end. */
    public EventualTransaction<M> then(String name, Consumer<M> action) {
        List<Step<M>> more = new ArrayList<>(steps);
        more.add(new Step<>(name, action));
        return new EventualTransaction<>(more);
    }

    /**
     * The guide's archive: an entity goes from one table to another. It is never in neither, it is in both for a while, and a
     * change made in the first table meanwhile is not lost: then the message comes again.
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
                                throw new IllegalStateException(
                                        "The entity " + key + " was changed while it was archived");
                            }
                            current.delete(original);
                        }));
    }

    /** The names of the steps, in order. */
    public List<String> steps() {
        return steps.stream().map(Step::name).toList();
    }

    /** Does all steps, here and now. */
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
