package dev.trestle.queue;

import dev.trestle.engine.Commit;
import dev.trestle.engine.CommitResult;
import dev.trestle.engine.Engine;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue, and what this process remembers of them: where the first one can be, how many there are,
 * and who wants some. What is remembered saves work; what is true is in the engine.
 *
 * <p>Stages fail with {@link QueueGoneException} when the queue has been cleared or deleted.
 */
final class MessageStore {
    /** How far the clocks of servers that share a queue may differ before one overlooks, for a while, what another put. */
    private static final long SHARED_LAG = 10 * Ticks.PER_SECOND;

    /** Leaves a write of a commit for what keeps it from a queue that is gone. */
    private static final int REMOVED_AT_ONCE = Commit.WRITES_MAX - 1;

    private static final Duration SHARED_COUNT_TRUST = Duration.ofSeconds(10);

    private final Engine engine;
    private final long collection;
    private final MonotonicTicks moments;
    private final RandomGenerator random;
    private final VisibilityCursor head;
    private final MessageCount count = new MessageCount();
    private final ReceiveCoalescer takers;
    private @Nullable CompletableFuture<Void> sweeping;

    MessageStore(Engine engine, long collection, MonotonicTicks moments, RandomGenerator random) {
        this.engine = engine;
        this.collection = collection;
        this.moments = moments;
        this.random = random;
        this.head = new VisibilityCursor(engine.isShared() ? SHARED_LAG : 0);
        this.takers = new ReceiveCoalescer(this, head, engine.isShared());
    }

    long now() {
        return moments.next();
    }

    CompletionStage<Message> put(String text, long delayTicks, long lifeTicks) {
        long now = now();
        long expiry = lifeTicks > Ticks.MAX - now ? Ticks.MAX : now + lifeTicks;
        Receipt receipt = new Receipt(now + delayTicks, expiry, random.nextLong());
        Message message = new Message(newId(), now, expiry, receipt.visible(), receipt, 0, text);
        Write write = new Write.Put(
                MessageRowCodec.key(collection, message.id(), receipt),
                MessageRowCodec.encode(message),
                Precondition.ABSENT);
        return commit(List.of(write), List.of(message)).thenApply(result -> {
            require(result instanceof CommitResult.Committed, result);
            count.added();
            return message;
        });
    }

    private UUID newId() {
        // The bits of version 4, which are random for the rest.
        return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | Long.MIN_VALUE);
    }

    private static void require(boolean holds, CommitResult result) {
        if (!holds) {
            throw new IllegalStateException("a key that was just drawn is in use: " + result);
        }
    }

    /**
     * Takes up to so many messages, which nobody else sees for a while.
     *
     * @param where to go on once the engine has answered
     */
    CompletionStage<List<Message>> take(int messages, long hiddenTicks, Executor where) {
        return takers.take(messages, hiddenTicks, where);
    }

    /** The first messages that can be seen. */
    CompletionStage<List<Message>> peek(int messages) {
        long now = now();
        return page(MessageRowCodec.range(collection, head.from(), now + 1), alive(now), messages)
                .thenApply(MessageStore::decode);
    }

    /** Visible messages in their order, from a moment on. A page that found none may have more behind it. */
    CompletionStage<RowPage> page(long from, long now, int messages) {
        return page(MessageRowCodec.range(collection, from, now + 1), alive(now), messages);
    }

    private CompletionStage<RowPage> page(KeyRange range, Filter filter, int messages) {
        return scan(range, filter, List.of(), messages).thenCompose(page -> {
            if (page.size() > 0) {
                return CompletableFuture.completedFuture(page);
            }
            page.close();
            // The time limit ended the page among expired messages; others may follow.
            return page.resume().isPresent()
                    ? page(range.startingAt(page.resume().get().bytes()), filter, messages)
                    : requireOpen().thenApply(open -> new RowPage.Builder().end());
        });
    }

    /** A queue that somebody else has cleared or deleted is empty, but not the one to look at any more. */
    private CompletionStage<Void> requireOpen() {
        if (!engine.isShared()) {
            return CompletableFuture.completedFuture(null);
        }
        return engine.read(MessageRowCodec.closed(collection)).thenAccept(row -> {
            if (row.isPresent()) {
                throw new QueueGoneException();
            }
        });
    }

    /** Has every later commit refused, also those of servers that have not heard yet that the queue is gone. */
    CompletionStage<Void> close() {
        if (!engine.isShared()) {
            // Nobody else could; and whoever asks here is told by the catalogue.
            return CompletableFuture.completedFuture(null);
        }
        Write mark = new Write.Put(MessageRowCodec.closed(collection), new RowBuilder().build(), Precondition.NONE);
        return engine.commit(new Commit(collection, MessageRowCodec.PARTITION, List.of(mark)))
                .thenAccept(result -> {});
    }

    private CompletionStage<RowPage> scan(KeyRange range, Filter filter, List<String> columns, int rows) {
        return engine.scan(new Scan(
                List.of(range), filter, columns, new Scan.Limits(rows, Limits.PAGE_BYTES_MAX, Limits.PAGE_TIME_MAX)));
    }

    private static Filter alive(long now) {
        return Filter.compare(MessageRowCodec.EXPIRY, Operator.GT, new EdmValue.DateTime(now));
    }

    /** Decodes the messages of a page, and closes it. */
    static List<Message> decode(RowPage page) {
        List<Message> messages = new ArrayList<>(page.size());
        try (page) {
            for (int i = 0; i < page.size(); i++) {
                messages.add(MessageRowCodec.decode(page.key(i), page.row(i)));
            }
        }
        return messages;
    }

    /** The message as it will be once it was moved. */
    Message moved(Message message, long hiddenTicks, int dequeueCount, String text) {
        long visible = now() + hiddenTicks;
        Receipt receipt = new Receipt(visible, message.expiry(), random.nextLong());
        return new Message(message.id(), message.inserted(), message.expiry(), visible, receipt, dequeueCount, text);
    }

    /** Moves messages to where they will be; refused as a whole if one of them is not where it was any more. */
    CompletionStage<CommitResult> move(List<Message> from, List<Message> to) {
        List<Write> writes = new ArrayList<>(2 * from.size());
        for (int i = 0; i < from.size(); i++) {
            Message old = from.get(i);
            Message next = to.get(i);
            writes.add(
                    new Write.Delete(MessageRowCodec.key(collection, old.id(), old.receipt()), Precondition.PRESENT));
            writes.add(new Write.Put(
                    MessageRowCodec.key(collection, next.id(), next.receipt()),
                    MessageRowCodec.encode(next),
                    Precondition.NONE));
        }
        return commit(writes, to);
    }

    /**
     * Changes a message that its holder took.
     *
     * @param text empty to leave it as it is
     * @param hiddenTicks how long nobody else will see it
     * @return empty when the receipt does not fit, or not any more
     */
    CompletionStage<Optional<Message>> update(UUID id, Receipt receipt, Optional<String> text, long hiddenTicks) {
        Key key = MessageRowCodec.key(collection, id, receipt);
        return engine.read(key).thenCompose(row -> {
            Optional<Message> old =
                    row.map(bytes -> MessageRowCodec.decode(key, bytes)).filter(found -> !found.hasExpired(now()));
            if (old.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            Message message = old.get();
            Message next = moved(message, hiddenTicks, message.dequeueCount(), text.orElse(message.text()));
            return move(List.of(message), List.of(next))
                    .thenApply(
                            result -> result instanceof CommitResult.Committed ? Optional.of(next) : Optional.empty());
        });
    }

    /** Deletes a message; false when the receipt does not fit, or not any more. */
    CompletionStage<Boolean> remove(UUID id, Receipt receipt) {
        if (receipt.expiry() <= now()) {
            return CompletableFuture.completedFuture(false);
        }
        Write write = new Write.Delete(MessageRowCodec.key(collection, id, receipt), Precondition.PRESENT);
        return commit(List.of(write), List.of()).thenApply(result -> {
            boolean removed = result instanceof CommitResult.Committed;
            if (removed) {
                count.removed(1);
            }
            return removed;
        });
    }

    /** @param written the messages that will be where they were not */
    private CompletionStage<CommitResult> commit(List<Write> writes, List<Message> written) {
        written.forEach(message -> head.writing(message.visible()));
        List<Write> guarded = writes;
        if (engine.isShared()) {
            guarded = new ArrayList<>(writes);
            guarded.add(Write.requireAbsent(MessageRowCodec.closed(collection)));
        }
        return engine.commit(new Commit(collection, MessageRowCodec.PARTITION, guarded))
                // Also after a failure, which does not say whether the commit took effect.
                .whenComplete((result, failure) -> written.forEach(message -> head.written(message.visible())))
                .thenApply(result -> {
                    if (result instanceof CommitResult.Refused refused
                            && (refused.reason() == CommitResult.Reason.COLLECTION_DROPPED
                                    || refused.index() == writes.size())) {
                        throw new QueueGoneException();
                    }
                    return result;
                });
    }

    /** How many messages there are, seen or not; some may have come to their end. */
    CompletionStage<Long> count() {
        return count.isOlderThan(engine.isShared() ? SHARED_COUNT_TRUST.toNanos() : Long.MAX_VALUE)
                ? sweep().thenApply(done -> count.messages())
                : CompletableFuture.completedFuture(count.messages());
    }

    /** Removes what has expired, and counts what has not. Those who ask for it meanwhile wait for the same. */
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
        sweep(MessageRowCodec.range(collection, 0, Long.MAX_VALUE), 0).whenComplete((alive, failure) -> {
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

    private CompletionStage<Long> sweep(KeyRange range, long aliveBefore) {
        return scan(range, Filter.ALL, List.of(MessageRowCodec.EXPIRY), Limits.PAGE_ROWS_MAX)
                .thenCompose(page -> {
                    List<Write> removals = new ArrayList<>();
                    long now = now();
                    try (page) {
                        for (int i = 0; i < page.size(); i++) {
                            if (MessageRowCodec.expiry(page, i) <= now) {
                                removals.add(new Write.Delete(page.key(i), Precondition.NONE));
                            }
                        }
                    }
                    long alive = aliveBefore + page.size() - removals.size();
                    CompletionStage<Long> swept = removeAll(removals).thenApply(done -> alive);
                    return page.resume().isEmpty()
                            ? swept
                            : swept.thenCompose(so ->
                                    sweep(range.startingAt(page.resume().get().bytes()), so));
                });
    }

    private CompletionStage<Void> removeAll(List<Write> removals) {
        CompletionStage<Void> removed = CompletableFuture.completedFuture(null);
        for (int i = 0; i < removals.size(); i += REMOVED_AT_ONCE) {
            List<Write> some = removals.subList(i, Math.min(removals.size(), i + REMOVED_AT_ONCE));
            removed = removed.thenCompose(done -> commit(some, List.of())).thenAccept(result -> {});
        }
        return removed;
    }
}
