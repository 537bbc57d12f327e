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
 * Reclaims contents that were uploaded and that no blob came to hold. After a refusal they are deleted at once. After a
 * commit that failed without saying whether it had an effect, they wait until the engine commits again: then it is settled
 * what blobs hold. Where other processes share the engine that is never certain, and they are left to {@link Scrub}. For
 * any thread.
 */
final class UnreferencedContents {
    /** Beyond this, contents are left to be settled at the next start. */
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

    /** The work that was to make a blob hold the content has failed. */
    void release(StagedContent.Content content, Throwable failure) {
        if (failure instanceof StorageException || failure instanceof ContainerGoneException) {
            delete(content);
        } else if (!shared) {
            await(content);
        }
    }

    /** No blob holds the content, nor will. */
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

    /** Settles what waits, as far as that can be done now; never completes exceptionally. */
    CompletionStage<Void> settle() {
        List<StagedContent.Content> all = new ArrayList<>();
        for (StagedContent.Content next = waiting.poll(); next != null; next = waiting.poll()) {
            count.decrementAndGet();
            all.add(next);
        }
        CompletionStage<Void> settled = CompletableFuture.completedFuture(null);
        for (StagedContent.Content content : all) {
            // After a failure the others wait too: they would most likely fail for the same reason.
            settled = settled.thenCompose(before -> settle(content)).whenComplete((done, failure) -> {
                if (failure != null && !isDamage(StageFailures.cause(failure))) {
                    await(content);
                }
            });
        }
        return settled.exceptionally(failure -> null);
    }

    private CompletionStage<Void> settle(StagedContent.Content content) {
        // A commit that succeeds now shows that the failed one is over, and what it wrote, if anything, can be read.
        return rows.probe(content.container())
                .thenCompose(done -> reclaimer.isHeld(content.owner(), content.container(), content.name()))
                .exceptionallyCompose(failure -> StageFailures.cause(failure) instanceof ContainerGoneException
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(failure))
                .thenCompose(held -> held
                        ? store.keep(content.container(), content.name())
                        : store.delete(content.container(), content.name()));
    }

    /** Of rows that say what is held: nobody can tell before they are repaired. */
    private static boolean isDamage(Throwable failure) {
        return failure instanceof EngineException error && error.kind() == EngineException.Kind.CORRUPT;
    }
}
