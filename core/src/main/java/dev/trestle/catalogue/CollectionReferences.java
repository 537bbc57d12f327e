package dev.trestle.catalogue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reference counts of the collections that operations in flight use. Only collections in use have an entry, so the
 * number of operations bounds the size. Thread-safe.
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
        // Outside the map's lock, because dependent stages may enter collections.
        if (last[0] != null) {
            last[0].free.complete(null);
        }
    }

    /** Completes when all operations that have entered by now have left. */
    CompletionStage<Void> free(long collection) {
        Use use = uses.get(collection);
        return use == null ? CompletableFuture.completedFuture(null) : use.free;
    }

    /** The number of collections in use. */
    int size() {
        return uses.size();
    }
}
