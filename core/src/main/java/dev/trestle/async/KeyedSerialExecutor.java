package dev.trestle.async;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Runs asynchronous tasks of one key one after another, in the order of their submission. Tasks of different keys
 * do not wait for each other. Thread-safe.
 */
public final class KeyedSerialExecutor<K> {
    /** A task; its stage completes when the next task may start, and never fails. */
    private interface Task extends Supplier<CompletionStage<Void>> {}

    /** The keys with a running task, each with the tasks that wait for it; guarded by itself. */
    private final Map<K, Queue<Task>> waiting = new HashMap<>();

    /** Runs a task after all earlier tasks of the key, and returns its result. */
    public <T> CompletionStage<T> submit(K key, Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Task task = () -> start(work).handle((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(value);
            }
            return null;
        });
        synchronized (waiting) {
            Queue<Task> others = waiting.get(key);
            if (others != null) {
                others.add(task);
                return result;
            }
            waiting.put(key, new ArrayDeque<>());
        }
        AsyncLoop.from(task, current -> current.get().thenApply(over -> next(key)));
        return result;
    }

    private Optional<Task> next(K key) {
        synchronized (waiting) {
            Queue<Task> others = waiting.get(key);
            if (others == null || others.isEmpty()) {
                waiting.remove(key);
                return Optional.empty();
            }
            return Optional.of(others.remove());
        }
    }

    private static <T> CompletionStage<T> start(Supplier<CompletionStage<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
