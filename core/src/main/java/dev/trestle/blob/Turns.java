package dev.trestle.blob;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Work on one thing, one piece after the other, in the order it came; work on different things does not wait. */
final class Turns<K> {
    /** The end of the last piece of work there is on each thing; guarded by itself. */
    private final Map<K, CompletableFuture<Void>> last = new HashMap<>();

    <T> CompletionStage<T> take(K thing, Supplier<CompletionStage<T>> work) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<Void> before;
        synchronized (last) {
            before = last.put(thing, end);
        }
        CompletionStage<T> done = before == null ? attempt(work) : before.thenCompose(free -> attempt(work));
        return done.whenComplete((result, failure) -> {
            synchronized (last) {
                last.remove(thing, end);
            }
            end.complete(null);
        });
    }

    private static <T> CompletionStage<T> attempt(Supplier<CompletionStage<T>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
