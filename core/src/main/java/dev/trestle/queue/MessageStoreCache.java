package dev.trestle.queue;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * A cache of the message stores of queues. A store in use is never evicted, because a second store of the same
 * queue would not know of the writes in flight. Thread-safe.
 */
final class MessageStoreCache {
    private final LongFunction<MessageStore> opener;
    private final Cache<Long, Entry> entries;

    /** Changed only while the cache locks the key. */
    private static final class Entry {
        final MessageStore store;
        int users;

        Entry(MessageStore store) {
            this.store = store;
        }
    }

    /**
     * Creates an empty cache.
     *
     * @param idleMax the number of stores that are kept while nobody uses them
     * @param opener opens the store of a collection
     */
    MessageStoreCache(int idleMax, LongFunction<MessageStore> opener) {
        this.opener = opener;
        // Entries without weight are not evicted. The cache weighs an entry after each computation on it.
        this.entries = Caffeine.newBuilder()
                .maximumWeight(idleMax)
                .weigher((Long collection, Entry entry) -> entry.users == 0 ? 1 : 0)
                .executor(Runnable::run)
                .build();
    }

    /** Runs work on the messages of a collection. */
    <T> CompletionStage<T> use(long collection, Function<MessageStore, CompletionStage<T>> work) {
        Entry used = entries.asMap().compute(collection, (id, known) -> {
            Entry entry = known == null ? new Entry(opener.apply(collection)) : known;
            entry.users++;
            return entry;
        });
        return work.apply(used.store)
                .whenComplete((done, failure) -> entries.asMap().computeIfPresent(collection, (id, entry) -> {
                    entry.users--;
                    return entry;
                }));
    }

    /** The number of stores that are kept and not in use. */
    long idle() {
        entries.cleanUp();
        return entries.asMap().values().stream()
                .filter(entry -> entry.users == 0)
                .count();
    }
}
