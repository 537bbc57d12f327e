package dev.trestle.queue;

import static dev.trestle.catalogue.EngineErrors.answered;

import dev.trestle.async.OptimisticRetry;
import dev.trestle.catalogue.AccessPolicy;
import dev.trestle.catalogue.Catalogue;
import dev.trestle.catalogue.CatalogueEntry;
import dev.trestle.engine.Engine;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.MonotonicTicks;
import dev.trestle.model.Page;
import dev.trestle.model.QueueName;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The Queue service of any number of accounts on one engine. Stages complete exceptionally with
 * {@link StorageException} for everything the caller should be told.
 */
public final class QueueService {
    private static final int SWEPT_AT_ONCE = 1000;
    private static final int IDLE_STORES_MAX = 10_000;

    private final Catalogue catalogue;
    private final MessageStores stores;
    private final OptimisticRetry retry;

    /** @param random for any thread; draws ids and receipts, which nobody should be able to guess */
    public QueueService(Engine engine, Catalogue catalogue, InstantSource clock, RandomGenerator random) {
        this.catalogue = catalogue;
        this.retry = new OptimisticRetry(random);
        MonotonicTicks moments = new MonotonicTicks(clock);
        this.stores = new MessageStores(
                IDLE_STORES_MAX,
                collection -> new MessageStore(engine, collection, moments, random, retry, System::nanoTime));
    }

    /** Makes a queue; false when it is there already, with the same metadata. */
    public CompletionStage<Boolean> create(String account, QueueName name, Map<String, String> metadata) {
        return answered(retry.run("Creating a queue", () -> createOnce(account, name, metadata)));
    }

    /** Returns empty if a queue of this name existed and was then deleted. */
    private CompletionStage<Optional<Boolean>> createOnce(
            String account, QueueName name, Map<String, String> metadata) {
        return catalogue.create(account, name.value(), metadata).thenCompose(created -> {
            if (created.isPresent()) {
                return CompletableFuture.completedFuture(Optional.of(true));
            }
            catalogue.forget(account, name.value());
            return catalogue
                    .find(account, name.value())
                    .thenApply(found -> found.map(existing -> {
                        if (!folded(existing.metadata()).equals(folded(metadata))) {
                            throw new StorageException(StorageError.QUEUE_ALREADY_EXISTS);
                        }
                        return false;
                    }));
        });
    }

    private static Map<String, String> folded(Map<String, String> metadata) {
        Map<String, String> folded = new HashMap<>();
        metadata.forEach((name, value) -> folded.put(name.toLowerCase(Locale.ROOT), value));
        return folded;
    }

    public CompletionStage<Void> delete(String account, QueueName name) {
        return answered(catalogue.delete(account, name.value(), this::close).thenApply(QueueService::require));
    }

    /** The queue, or an exceptional stage with {@link StorageError#QUEUE_NOT_FOUND}. */
    public CompletionStage<QueueInfo> queue(String account, QueueName name) {
        return find(account, name)
                .thenApply(found -> found.orElseThrow(() -> new StorageException(StorageError.QUEUE_NOT_FOUND)));
    }

    public CompletionStage<Optional<QueueInfo>> find(String account, QueueName name) {
        return answered(catalogue.find(account, name.value()).thenApply(found -> found.map(QueueInfo::of)));
    }

    /** Queues in the order of their names. */
    public CompletionStage<Page<QueueInfo, String>> list(
            String account, String prefix, int max, Optional<String> from) {
        return answered(
                catalogue.list(account, prefix, max, from.orElse("")).thenApply(page -> page.map(QueueInfo::of)));
    }

    public CompletionStage<Void> setMetadata(String account, QueueName name, Map<String, String> metadata) {
        return answered(catalogue.setMetadata(account, name.value(), metadata).thenApply(QueueService::require));
    }

    public CompletionStage<Void> setPolicies(String account, QueueName name, List<AccessPolicy> policies) {
        return answered(catalogue.setPolicies(account, name.value(), policies).thenApply(QueueService::require));
    }

    private static Void require(boolean found) {
        if (!found) {
            throw new StorageException(StorageError.QUEUE_NOT_FOUND);
        }
        return null;
    }

    /** How many messages the queue has, seen or not. */
    public CompletionStage<Long> count(String account, QueueName name) {
        return onMessages(account, name, MessageStore::count);
    }

    /**
     * Puts a message at the end of the queue.
     *
     * @param delayTicks how long nobody will see it
     * @param lifeTicks after which it is gone
     */
    public CompletionStage<Message> put(String account, QueueName name, String text, long delayTicks, long lifeTicks) {
        return onMessages(account, name, store -> store.put(text, delayTicks, lifeTicks));
    }

    /**
     * Takes the first messages that can be seen.
     *
     * @param hiddenTicks how long nobody else will see them
     * @param where to go on once the engine has answered
     */
    public CompletionStage<List<Message>> take(
            String account, QueueName name, int messages, long hiddenTicks, Executor where) {
        return onMessages(account, name, store -> store.take(messages, hiddenTicks, where));
    }

    /** The first messages that can be seen, left as they are. */
    public CompletionStage<List<Message>> peek(String account, QueueName name, int messages) {
        return onMessages(account, name, store -> store.peek(messages));
    }

    /**
     * Changes a message that was taken or put.
     *
     * @param text empty to leave it as it is
     * @param hiddenTicks how long nobody else will see it
     */
    public CompletionStage<Message> update(
            String account, QueueName name, UUID id, Receipt receipt, Optional<String> text, long hiddenTicks) {
        return onMessages(account, name, store -> store.update(id, receipt, text, hiddenTicks))
                .thenApply(updated -> updated.orElseThrow(() -> new StorageException(StorageError.MESSAGE_NOT_FOUND)));
    }

    /** Deletes a message that was taken or put. */
    public CompletionStage<Void> remove(String account, QueueName name, UUID id, Receipt receipt) {
        return onMessages(account, name, store -> store.remove(id, receipt)).thenApply(removed -> {
            if (!removed) {
                throw new StorageException(StorageError.MESSAGE_NOT_FOUND);
            }
            return null;
        });
    }

    /** Deletes all messages, however many; they are reclaimed afterwards. */
    public CompletionStage<Void> clear(String account, QueueName name) {
        return answered(catalogue.empty(account, name.value(), this::close).thenApply(QueueService::require));
    }

    private CompletionStage<Void> close(long collection) {
        return stores.use(collection, MessageStore::close);
    }

    private <T> CompletionStage<T> onMessages(
            String account, QueueName name, Function<MessageStore, CompletionStage<T>> work) {
        return answered(retry.run("Using a queue", () -> onMessagesOnce(account, name, work)));
    }

    /** Returns empty if another server cleared or deleted the queue since it was looked up. */
    private <T> CompletionStage<Optional<T>> onMessagesOnce(
            String account, QueueName name, Function<MessageStore, CompletionStage<T>> work) {
        return catalogue
                .use(account, name.value(), found -> {
                    CatalogueEntry queue = found.orElseThrow(() -> new StorageException(StorageError.QUEUE_NOT_FOUND));
                    return stores.use(queue.id(), work);
                })
                .thenApply(Optional::of)
                .exceptionallyCompose(failure -> {
                    Throwable cause = StageFailures.cause(failure);
                    if (cause instanceof QueueGoneException) {
                        catalogue.forget(account, name.value());
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    return CompletableFuture.failedFuture(failure);
                });
    }

    /** Removes the messages of an account that have expired, also in queues that nobody reads. */
    public CompletionStage<Void> sweep(String account) {
        return answered(sweep(account, ""));
    }

    private CompletionStage<Void> sweep(String account, String from) {
        return catalogue.list(account, "", SWEPT_AT_ONCE, from).thenCompose(page -> {
            CompletionStage<Void> swept = CompletableFuture.completedFuture(null);
            for (CatalogueEntry queue : page.items()) {
                // One after the other: this is nobody's request, and nobody's should wait for it.
                swept = swept.thenCompose(done -> stores.use(queue.id(), MessageStore::sweep))
                        .exceptionallyCompose(QueueService::unlessGone);
            }
            return page.next().isEmpty()
                    ? swept
                    : swept.thenCompose(done -> sweep(account, page.next().get()));
        });
    }

    private static CompletionStage<Void> unlessGone(Throwable failure) {
        Throwable cause = StageFailures.cause(failure);
        return cause instanceof QueueGoneException
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(failure);
    }
}
