package dev.trestle.catalogue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A reference count for each collection that operations in flight refer to. It holds an entry only while there are such
 * operations, so its size is bounded by their number. For any thread.
 */
final class CollectionReferences {
    private final ConcurrentHashMap<Long, Use> uses = new ConcurrentHashMap<>();

    /** The count changes only inside {@link ConcurrentHashMap#compute}. */
    private static final class Use {
        final CompletableFuture<Void> free = new CompletableFuture<>();
        int operations;
    }

    void enter(long collection) {
        uses.compute(collection, (id, known) -> {
            Use use = known == null ? new Use() : known;
            use.operations++;
            return use;
        });
    }

    void leave(long collection) {
        Use[] last = new Use[1];
        uses.computeIfPresent(collection, (id, use) -> {
            use.operations--;
            if (use.operations > 0) {
                return use;
            }
            last[0] = use;
            return null;
        });
        // Outside of the map, because what waits for it may use collections again.
        if (last[0] != null) {
            last[0].free.complete(null);
        }
    }

    /** Completes when no operation that has entered by now is in flight. */
    CompletionStage<Void> free(long collection) {
        Use use = uses.get(collection);
        return use == null ? CompletableFuture.completedFuture(null) : use.free;
    }

    /** Collections with operations in flight. */
    int size() {
        return uses.size();
    }
}
