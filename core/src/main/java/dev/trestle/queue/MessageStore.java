package dev.trestle.queue;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.engine.Engine;
import dev.trestle.keyspace.Key;
import dev.trestle.model.MonotonicTicks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue, with the soft state of this process: the visibility cursor, a cached count, and the
 * receivers that wait for a shared scan. Soft state only saves work; the engine has the messages. Thread-safe.
 *
 * <p>Stages fail with {@link QueueGoneException} if the queue was cleared or deleted.
 */
final class MessageStore {
    private static final Duration SHARED_COUNT_TTL = Duration.ofSeconds(10);

    private final MessageRowStore rows;
    private final MessageCount count;
    private final ReceiveCoalescer receivers;

    /** The sweep in progress, if any; guarded by this. */
    private @Nullable CompletableFuture<Void> sweeping;

    MessageStore(
            Engine engine,
            long collection,
            MonotonicTicks ticks,
            RandomGenerator random,
            OptimisticRetry retry,
            LongSupplier nanoTime) {
        this.rows = new MessageRowStore(engine, collection, ticks, random);
        this.receivers = new ReceiveCoalescer(rows, random, retry, nanoTime);
        this.count = new MessageCount(nanoTime);
    }

    CompletionStage<Message> put(String text, long delayTicks, long lifeTicks) {
        Message message = rows.newMessage(text, delayTicks, lifeTicks);
        return rows.insert(message).thenApply(done -> {
            count.added();
            return message;
        });
    }

    /**
     * Receives up to a number of messages, and hides them from others.
     *
     * @param executor runs the rest of the operation after a wait
     */
    CompletionStage<List<Message>> take(int messages, long hiddenTicks, Executor executor) {
        return receivers.take(messages, hiddenTicks, executor);
    }

    /** Returns the first visible messages. */
    CompletionStage<List<Message>> peek(int messages) {
        long now = rows.now();
        return rows.visible(rows.cursor().from(), now, messages).thenApply(MessageRowStore::decode);
    }

    /** Makes the engine refuse later commits to the queue. */
    CompletionStage<Void> close() {
        return rows.close();
    }

    /**
     * Changes a message.
     *
     * @param text empty to keep the text
     * @param hiddenTicks how long to hide the message from others
     * @return the changed message, or empty if the receipt is not valid any more
     */
    CompletionStage<Optional<Message>> update(UUID id, Receipt receipt, Optional<String> text, long hiddenTicks) {
        return rows.find(id, receipt).thenCompose(found -> {
            if (found.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Message message = found.get();
            Message next = rows.moved(message, hiddenTicks, message.dequeueCount(), text.orElse(message.text()));
            return rows.move(List.of(message), List.of(next))
                    .thenApply(moved -> moved ? Optional.of(next) : Optional.empty());
        });
    }

    /** Deletes a message; false if the receipt is not valid any more. */
    CompletionStage<Boolean> remove(UUID id, Receipt receipt) {
        if (receipt.expiry() <= rows.now()) {
            return CompletableFuture.completedFuture(false);
        }
        return rows.delete(id, receipt).thenApply(deleted -> {
            if (deleted) {
                count.removed(1);
            }
            return deleted;
        });
    }

    /** Returns the number of messages, visible or not. May include some that have expired. */
    CompletionStage<Long> count() {
        return count.isOlderThan(rows.isShared() ? SHARED_COUNT_TTL.toNanos() : Long.MAX_VALUE)
                ? sweep().thenApply(done -> count.messages())
                : CompletableFuture.completedFuture(count.messages());
    }

    /** Deletes expired messages and counts the others. Concurrent calls share one sweep. */
    CompletionStage<Void> sweep() {
        CompletableFuture<Void> mine;
        synchronized (this) {
            if (sweeping != null) {
                return sweeping;
            }
            mine = new CompletableFuture<>();
            sweeping = mine;
        }
        long additions = count.additions();
        sweep(Optional.empty(), 0).whenComplete((alive, failure) -> {
            synchronized (this) {
                sweeping = null;
            }
            if (failure != null) {
                mine.completeExceptionally(failure);
            } else {
                count.counted(alive, additions);
                mine.complete(null);
            }
        });
        return mine;
    }

    private CompletionStage<Long> sweep(Optional<Key> from, long aliveBefore) {
        return rows.expiries(from).thenCompose(page -> {
            List<Key> expired = new ArrayList<>();
            long now = rows.now();
            try (page) {
                for (int i = 0; i < page.size(); i++) {
                    if (MessageRowCodec.expiry(page, i) <= now) {
                        expired.add(page.key(i));
                    }
                }
            }
            long alive = aliveBefore + page.size() - expired.size();
            CompletionStage<Long> swept = rows.deleteAll(expired).thenApply(done -> alive);
            return page.resume().isEmpty() ? swept : swept.thenCompose(sum -> sweep(page.resume(), sum));
        });
    }
}
