package dev.trestle.blob;

import dev.trestle.engine.ContentStore;
import dev.trestle.engine.EngineException;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.model.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reclaims uploaded contents that no blob refers to. After a refused commit they are deleted at once. After a
 * commit with an unknown outcome, they wait until the engine commits again, which decides the outcome. Where
 * processes share the engine, the outcome stays unknown, and {@link Scrub} deletes them. Thread-safe.
 */
final class UnreferencedContents {
    /** Further contents are left to the next start. */
    private static final int WAITING_MAX = 10_000;

    private final BlobRowStore rows;
    private final ContentStore store;
    private final Reclaimer reclaimer;
    private final boolean shared;
    private final ConcurrentLinkedQueue<StagedContent.Content> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    UnreferencedContents(BlobRowStore rows, ContentStore store, Reclaimer reclaimer, boolean shared) {
        this.rows = rows;
        this.store = store;
        this.reclaimer = reclaimer;
        this.shared = shared;
    }

    /** Reclaims a content after the work that was to make a blob refer to it has failed. */
    void release(StagedContent.Content content, Throwable failure) {
        if (failure instanceof StorageException || failure instanceof ContainerGoneException) {
            delete(content);
        } else if (!shared) {
            await(content);
        }
    }

    /** Deletes a content that no blob refers to, now or later. */
    CompletionStage<Void> delete(StagedContent.Content content) {
        return store.delete(content.container(), content.name()).whenComplete((done, failure) -> {
            if (failure != null) {
                await(content);
            }
        });
    }

    private void await(StagedContent.Content content) {
        if (count.incrementAndGet() > WAITING_MAX) {
            count.decrementAndGet();
        } else {
            waiting.add(content);
        }
    }

    /** Keeps or deletes the waiting contents, as far as possible now. Never fails. */
    CompletionStage<Void> settle() {
        List<StagedContent.Content> all = new ArrayList<>();
        for (StagedContent.Content next = waiting.poll(); next != null; next = waiting.poll()) {
            count.decrementAndGet();
            all.add(next);
        }
        CompletionStage<Void> settled = CompletableFuture.completedFuture(null);
        for (StagedContent.Content content : all) {
            // After a failure the rest waits too, since it would most likely fail for the same reason.
            settled = settled.thenCompose(before -> settle(content)).whenComplete((done, failure) -> {
                if (failure != null && !isDamage(StageFailures.cause(failure))) {
                    await(content);
                }
            });
        }
        return settled.exceptionally(failure -> null);
    }

    private CompletionStage<Void> settle(StagedContent.Content content) {
        // After a successful commit, the outcome of the failed one is final and can be read.
        return rows.probe(content.container())
                .thenCompose(done -> reclaimer.isReferenced(content.owner(), content.container(), content.name()))
                .exceptionallyCompose(failure -> StageFailures.cause(failure) instanceof ContainerGoneException
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(failure))
                .thenCompose(referenced -> referenced
                        ? store.keep(content.container(), content.name())
                        : store.delete(content.container(), content.name()));
    }

    /**
     * Returns whether rows with references are damaged, so that the outcome cannot be read before they are
     * repaired.
     */
    private static boolean isDamage(Throwable failure) {
        return failure instanceof EngineException error && error.kind() == EngineException.Kind.CORRUPT;
    }
}
