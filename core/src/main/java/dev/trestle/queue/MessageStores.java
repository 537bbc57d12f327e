package dev.trestle.queue;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.engine.Engine;
import dev.trestle.model.MonotonicTicks;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The stores of queues that are in use, and of some that were. A store is kept as long as anybody works on it, because
 * another one would not know of what is being written.
 */
final class MessageStores {
    private static final int KEPT_MAX = 10_000;

    private final Engine engine;
    private final MonotonicTicks moments;
    private final RandomGenerator random;
    private final OptimisticRetry retry;
    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();

    /** Changed only while the map holds on to the key. */
    private static final class Entry {
        final MessageStore store;
        int users;

        Entry(MessageStore store) {
            this.store = store;
        }
    }

    MessageStores(Engine engine, MonotonicTicks moments, RandomGenerator random, OptimisticRetry retry) {
        this.engine = engine;
        this.moments = moments;
        this.random = random;
        this.retry = retry;
    }

    /** Does the work on the messages of a collection. */
    <T> CompletionStage<T> use(long collection, Function<MessageStore, CompletionStage<T>> work) {
        if (entries.size() > KEPT_MAX) {
            entries.keySet().forEach(this::forgetIdle);
        }
        MessageStore store = entries.compute(collection, (id, known) -> {
                    Entry entry =
                            known == null ? new Entry(new MessageStore(engine, id, moments, random, retry)) : known;
                    entry.users++;
                    return entry;
                })
                .store;
        return work.apply(store)
                .whenComplete((done, failure) -> entries.computeIfPresent(collection, (id, entry) -> {
                    entry.users--;
                    return entry;
                }));
    }

    private void forgetIdle(long collection) {
        entries.computeIfPresent(collection, (id, entry) -> entry.users == 0 ? null : entry);
    }
}
