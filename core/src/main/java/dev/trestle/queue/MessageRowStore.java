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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * Reads and writes the message rows of one queue, and keeps its visibility cursor correct. Stages fail with
 * {@link QueueGoneException} if the queue was cleared or deleted. Thread-safe.
 */
final class MessageRowStore {
    /** The maximum difference between the clocks of servers that share a queue, before messages are found late. */
    private static final long SHARED_LAG = 10 * Ticks.PER_SECOND;

    /** Leaves one write of a commit for the condition that the queue is not closed. */
    private static final int DELETIONS_MAX = Commit.WRITES_MAX - 1;

    private final Engine engine;
    private final long collection;
    private final MonotonicTicks ticks;
    private final RandomGenerator random;
    private final VisibilityCursor cursor;

    MessageRowStore(Engine engine, long collection, MonotonicTicks ticks, RandomGenerator random) {
        this.engine = engine;
        this.collection = collection;
        this.ticks = ticks;
        this.random = random;
        this.cursor = new VisibilityCursor(engine.isShared() ? SHARED_LAG : 0);
    }

    long now() {
        return ticks.next();
    }

    /** Returns whether other processes write to the queue too. */
    boolean isShared() {
        return engine.isShared();
    }

    VisibilityCursor cursor() {
        return cursor;
    }

    /** Returns a new message, which is not stored yet. */
    Message newMessage(String text, long delayTicks, long lifeTicks) {
        long now = now();
        long expiry = lifeTicks > Ticks.MAX - now ? Ticks.MAX : now + lifeTicks;
        Receipt receipt = new Receipt(now + delayTicks, expiry, random.nextLong());
        return new Message(newId(), now, expiry, receipt.visible(), receipt, 0, text);
    }

    private UUID newId() {
        // A random UUID: version 4, variant 2.
        return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | Long.MIN_VALUE);
    }

    /** Returns the message with a new receipt and visibility time. */
    Message moved(Message message, long hiddenTicks, int dequeueCount, String text) {
        long visible = now() + hiddenTicks;
        Receipt receipt = new Receipt(visible, message.expiry(), random.nextLong());
        return new Message(message.id(), message.inserted(), message.expiry(), visible, receipt, dequeueCount, text);
    }

    CompletionStage<Void> insert(Message message) {
        Write write = new Write.Put(
                MessageRowCodec.key(collection, message.id(), message.receipt()),
                MessageRowCodec.encode(message),
                Precondition.ABSENT);
        return commit(List.of(write), List.of(message)).thenAccept(result -> {
            if (!(result instanceof CommitResult.Committed)) {
                throw new IllegalStateException("A key that was just drawn is in use: " + result);
            }
        });
    }

    /** Finds the message of a receipt, unless it has expired. */
    CompletionStage<Optional<Message>> find(UUID id, Receipt receipt) {
        Key key = MessageRowCodec.key(collection, id, receipt);
        return engine.read(key)
                .thenApply(row ->
                        row.map(bytes -> MessageRowCodec.decode(key, bytes)).filter(found -> !found.hasExpired(now())));
    }

    /** Replaces messages by their moved versions; false if one of them has moved or is deleted. Atomic. */
    CompletionStage<Boolean> move(List<Message> from, List<Message> to) {
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
        return commit(writes, to).thenApply(result -> result instanceof CommitResult.Committed);
    }

    /** Deletes the message of a receipt; false if it has moved or is deleted. */
    CompletionStage<Boolean> delete(UUID id, Receipt receipt) {
        Write write = new Write.Delete(MessageRowCodec.key(collection, id, receipt), Precondition.PRESENT);
        return commit(List.of(write), List.of()).thenApply(result -> result instanceof CommitResult.Committed);
    }

    /** Deletes rows that may be gone already, in as many commits as it takes. */
    CompletionStage<Void> deleteAll(List<Key> keys) {
        CompletionStage<Void> deleted = CompletableFuture.completedFuture(null);
        for (int i = 0; i < keys.size(); i += DELETIONS_MAX) {
            List<Write> deletions = keys.subList(i, Math.min(keys.size(), i + DELETIONS_MAX)).stream()
                    .<Write>map(key -> new Write.Delete(key, Precondition.NONE))
                    .toList();
            deleted =
                    deleted.thenCompose(before -> commit(deletions, List.of())).thenAccept(result -> {});
        }
        return deleted;
    }

    /** @param written the messages that the writes insert */
    private CompletionStage<CommitResult> commit(List<Write> writes, List<Message> written) {
        written.forEach(message -> cursor.writing(message.visible()));
        List<Write> guarded = writes;
        if (engine.isShared()) {
            guarded = new ArrayList<>(writes);
            guarded.add(Write.requireAbsent(MessageRowCodec.closed(collection)));
        }
        return engine.commit(new Commit(collection, MessageRowCodec.PARTITION, guarded))
                // Also after a failure: the commit may have been applied.
                .whenComplete((result, failure) -> written.forEach(message -> cursor.written(message.visible())))
                .thenApply(result -> {
                    if (result instanceof CommitResult.Refused refused
                            && (refused.reason() == CommitResult.Reason.COLLECTION_DROPPED
                                    || refused.index() == writes.size())) {
                        throw new QueueGoneException();
                    }
                    return result;
                });
    }

    /** Returns a page of visible messages in their order. Empty only if there are none. */
    CompletionStage<RowPage> visible(long from, long now, int messages) {
        Filter alive = Filter.compare(MessageRowCodec.EXPIRY, Operator.GT, new EdmValue.DateTime(now));
        return visible(MessageRowCodec.range(collection, from, now + 1), alive, messages);
    }

    private CompletionStage<RowPage> visible(KeyRange range, Filter alive, int messages) {
        return scan(range, alive, List.of(), messages).thenCompose(page -> {
            if (page.size() > 0) {
                return CompletableFuture.completedFuture(page);
            }
            page.close();
            // The time limit ended the page among expired messages; others may follow.
            return page.resume().isPresent()
                    ? visible(range.startingAt(page.resume().get().bytes()), alive, messages)
                    : requireOpen().thenApply(open -> new RowPage.Builder().end());
        });
    }

    /** Returns a page of the expiry times of all messages, visible or not, from a key on. */
    CompletionStage<RowPage> expiries(Optional<Key> from) {
        KeyRange all = MessageRowCodec.range(collection, 0, Long.MAX_VALUE);
        return scan(
                from.map(key -> all.startingAt(key.bytes())).orElse(all),
                Filter.ALL,
                List.of(MessageRowCodec.EXPIRY),
                Limits.PAGE_ROWS_MAX);
    }

    private CompletionStage<RowPage> scan(KeyRange range, Filter filter, List<String> columns, int rows) {
        return engine.scan(new Scan(
                List.of(range), filter, columns, new Scan.Limits(rows, Limits.PAGE_BYTES_MAX, Limits.PAGE_TIME_MAX)));
    }

    /** Fails if another server has cleared or deleted the queue. */
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

    /**
     * Makes the engine refuse later commits to the queue, also those of servers with an outdated catalogue cache.
     */
    CompletionStage<Void> close() {
        if (!engine.isShared()) {
            // There are no other servers, and this one resolves the queue by the catalogue.
            return CompletableFuture.completedFuture(null);
        }
        Write mark = new Write.Put(MessageRowCodec.closed(collection), new RowBuilder().build(), Precondition.NONE);
        return engine.commit(new Commit(collection, MessageRowCodec.PARTITION, List.of(mark)))
                .thenAccept(result -> {});
    }

    /** Decodes the messages of a page and closes it. */
    static List<Message> decode(RowPage page) {
        List<Message> messages = new ArrayList<>(page.size());
        try (page) {
            for (int i = 0; i < page.size(); i++) {
                messages.add(MessageRowCodec.decode(page.key(i), page.row(i)));
            }
        }
        return messages;
    }
}
