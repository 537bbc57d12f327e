package dev.trestle.blob;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Work on one thing, one piece after the other, in the order it came; work on different things does not wait. */
final class KeyedSerialExecutor<K> {
    /** A piece of work; what it answers completes when its turn is over, and never fails. */
    private interface Turn extends Supplier<CompletionStage<Void>> {}

    /** The things that are worked on, each with what waits for it; guarded by itself. */
    private final Map<K, Queue<Turn>> waiting = new HashMap<>();

    <T> CompletionStage<T> take(K thing, Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Turn turn = () -> attempt(work).handle((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(value);
            }
            return null;
        });
        synchronized (waiting) {
            Queue<Turn> others = waiting.get(thing);
            if (others != null) {
                others.add(turn);
                return result;
            }
            waiting.put(thing, new ArrayDeque<>());
        }
        AsyncLoop.from(turn, now -> now.get().thenApply(over -> next(thing)));
        return result;
    }

    private Optional<Turn> next(K thing) {
        synchronized (waiting) {
            Queue<Turn> others = waiting.get(thing);
            if (others == null || others.isEmpty()) {
                waiting.remove(thing);
                return Optional.empty();
            }
            return Optional.of(others.remove());
        }
    }

    private static <T> CompletionStage<T> attempt(Supplier<CompletionStage<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
