package dev.trestle.queue;

import static dev.trestle.catalogue.EngineErrors.translateFailures;

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
 * The Queue service of all accounts on one engine. Stages fail with {@link StorageException} for errors of the
 * client.
 */
public final class QueueService {
    private static final int SWEEP_PAGE_QUEUES = 1000;
    private static final int IDLE_STORES_MAX = 10_000;

    private final Catalogue catalogue;
    private final MessageStoreCache stores;
    private final OptimisticRetry retry;

    /**
     * Creates the service.
     *
     * @param random draws ids and receipts, which must not be predictable; thread-safe
     */
    public QueueService(Engine engine, Catalogue catalogue, InstantSource clock, RandomGenerator random) {
        this.catalogue = catalogue;
        this.retry = new OptimisticRetry(random);
        MonotonicTicks ticks = new MonotonicTicks(clock);
        this.stores = new MessageStoreCache(
                IDLE_STORES_MAX,
                collection -> new MessageStore(engine, collection, ticks, random, retry, System::nanoTime));
    }

    /** Creates a queue; false if it exists with the same metadata. */
    public CompletionStage<Boolean> create(String account, QueueName name, Map<String, String> metadata) {
        return translateFailures(retry.run("Creating a queue", () -> createOnce(account, name, metadata)));
    }

    /** Returns empty if the queue existed at first and was then deleted. */
    private CompletionStage<Optional<Boolean>> createOnce(
            String account, QueueName name, Map<String, String> metadata) {
        return catalogue.create(account, name.value(), metadata).thenCompose(created -> {
            if (created.isPresent()) {
                return CompletableFuture.completedFuture(Optional.of(true));
            }
            catalogue.evict(account, name.value());
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
        return translateFailures(
                catalogue.delete(account, name.value(), this::close).thenAccept(QueueService::require));
    }

    /** Returns the queue, or fails with {@link StorageError#QUEUE_NOT_FOUND}. */
    public CompletionStage<QueueInfo> queue(String account, QueueName name) {
        return find(account, name)
                .thenApply(found -> found.orElseThrow(() -> new StorageException(StorageError.QUEUE_NOT_FOUND)));
    }

    public CompletionStage<Optional<QueueInfo>> find(String account, QueueName name) {
        return translateFailures(catalogue.find(account, name.value()).thenApply(found -> found.map(QueueInfo::of)));
    }

    /** Lists queues in the order of their names. */
    public CompletionStage<Page<QueueInfo, String>> list(
            String account, String prefix, int max, Optional<String> from) {
        return translateFailures(
                catalogue.list(account, prefix, max, from.orElse("")).thenApply(page -> page.map(QueueInfo::of)));
    }

    public CompletionStage<Void> setMetadata(String account, QueueName name, Map<String, String> metadata) {
        return translateFailures(
                catalogue.setMetadata(account, name.value(), metadata).thenAccept(QueueService::require));
    }

    public CompletionStage<Void> setPolicies(String account, QueueName name, List<AccessPolicy> policies) {
        return translateFailures(
                catalogue.setPolicies(account, name.value(), policies).thenAccept(QueueService::require));
    }

    private static void require(boolean found) {
        StorageException.throwUnless(found, StorageError.QUEUE_NOT_FOUND);
    }

    /** Returns the number of messages, visible or not. */
    public CompletionStage<Long> count(String account, QueueName name) {
        return onMessages(account, name, MessageStore::count);
    }

    /**
     * Inserts a message.
     *
     * @param delayTicks the time until it becomes visible
     * @param lifeTicks the time until it expires
     */
    public CompletionStage<Message> put(String account, QueueName name, String text, long delayTicks, long lifeTicks) {
        return onMessages(account, name, store -> store.put(text, delayTicks, lifeTicks));
    }

    /**
     * Receives the first visible messages.
     *
     * @param hiddenTicks how long to hide them from others
     * @param executor runs the rest of the operation after a wait
     */
    public CompletionStage<List<Message>> take(
            String account, QueueName name, int messages, long hiddenTicks, Executor executor) {
        return onMessages(account, name, store -> store.take(messages, hiddenTicks, executor));
    }

    /** Returns the first visible messages without receiving them. */
    public CompletionStage<List<Message>> peek(String account, QueueName name, int messages) {
        return onMessages(account, name, store -> store.peek(messages));
    }

    /**
     * Changes a message.
     *
     * @param text empty to keep the text
     * @param hiddenTicks how long to hide the message from others
     */
    public CompletionStage<Message> update(
            String account, QueueName name, UUID id, Receipt receipt, Optional<String> text, long hiddenTicks) {
        return onMessages(account, name, store -> store.update(id, receipt, text, hiddenTicks))
                .thenApply(updated -> updated.orElseThrow(() -> new StorageException(StorageError.MESSAGE_NOT_FOUND)));
    }

    /** Deletes a message. */
    public CompletionStage<Void> remove(String account, QueueName name, UUID id, Receipt receipt) {
        return onMessages(account, name, store -> store.remove(id, receipt))
                .thenAccept(removed -> StorageException.throwUnless(removed, StorageError.MESSAGE_NOT_FOUND));
    }

    /** Deletes all messages. Their rows are reclaimed later. */
    public CompletionStage<Void> clear(String account, QueueName name) {
        return translateFailures(
                catalogue.empty(account, name.value(), this::close).thenAccept(QueueService::require));
    }

    private CompletionStage<Void> close(long collection) {
        return stores.use(collection, MessageStore::close);
    }

    private <T> CompletionStage<T> onMessages(
            String account, QueueName name, Function<MessageStore, CompletionStage<T>> work) {
        return translateFailures(retry.run("Using a queue", () -> onMessagesOnce(account, name, work)));
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
                        catalogue.evict(account, name.value());
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    return CompletableFuture.failedFuture(failure);
                });
    }

    /** Deletes the expired messages of an account, also of queues that no client reads. */
    public CompletionStage<Void> sweep(String account) {
        return translateFailures(sweep(account, ""));
    }

    private CompletionStage<Void> sweep(String account, String from) {
        return catalogue.list(account, "", SWEEP_PAGE_QUEUES, from).thenCompose(page -> {
            CompletionStage<Void> swept = CompletableFuture.completedFuture(null);
            for (CatalogueEntry queue : page.items()) {
                // One queue at a time, so that requests are not delayed.
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
