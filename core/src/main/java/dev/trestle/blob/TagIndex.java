package dev.trestle.blob;

import dev.trestle.engine.Precondition;
import dev.trestle.engine.Write;
import dev.trestle.engine.support.StageFailures;
import dev.trestle.keyspace.Key;
import dev.trestle.model.MonotonicTicks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The index of blobs by their tags. A commit is atomic in one partition only, so the row of a tag is written before the row
 * of the blob, and removed after it. The index may have rows of tags that a blob does not have, and never lacks one that
 * it has.
 *
 * <p>Every attempt to write a blob has index rows of its own, with a number drawn at random, and the blob's row holds the
 * numbers. So it is clear which rows count, and a writer never removes a row that a concurrent one relies on.
 */
final class TagIndex {
    private final BlobRowStore rows;
    private final MonotonicTicks ticks;
    private final RandomGenerator random;
    private final Consumer<Throwable> failureListener;

    /**
     * An index in these rows.
     *
     * @param random for any thread
     * @param failureListener receives failures that no request could report
     */
    TagIndex(BlobRowStore rows, MonotonicTicks ticks, RandomGenerator random, Consumer<Throwable> failureListener) {
        this.rows = rows;
        this.ticks = ticks;
        this.random = random;
        this.failureListener = failureListener;
    }

    /** Adds the tags that have no row yet. To be called before the blob is written, and again with every attempt. */
    CompletionStage<BlobTags> add(long container, String name, BlobTags tags) {
        long number = random.nextLong();
        byte[] row = TagRowCodec.row(ticks.next());
        List<CompletableFuture<?>> puts = new ArrayList<>();
        tags.unindexed().forEach((key, value) -> {
            Key entry = TagRowCodec.key(container, key, value, name, number);
            Write put = new Write.Put(entry, row.clone(), Precondition.NONE);
            puts.add(rows.commit(container, entry.partitionKey(), List.of(put)).toCompletableFuture());
        });
        return all(puts).thenApply(done -> tags.indexed(number));
    }

    /** Removes the rows of tags that the blob does not have any more. Never fails: readers skip a row that stays. */
    CompletionStage<Void> remove(long container, String name, BlobTags tags) {
        List<CompletableFuture<?>> deletions = new ArrayList<>();
        tags.values().forEach((key, value) -> {
            Long number = tags.entries().get(key);
            if (number != null) {
                deletions.add(remove(container, TagRowCodec.key(container, key, value, name, number)));
            }
        });
        return all(deletions);
    }

    /** Removes a row. Never fails. */
    CompletableFuture<Void> remove(long container, Key entry) {
        return rows.commit(container, entry.partitionKey(), List.of(new Write.Delete(entry, Precondition.NONE)))
                .<Void>handle((done, failure) -> {
                    report(failure);
                    return null;
                })
                .toCompletableFuture();
    }

    private void report(@Nullable Throwable failure) {
        if (failure != null && !(StageFailures.cause(failure) instanceof ContainerGoneException)) {
            failureListener.accept(failure);
        }
    }

    private static CompletionStage<Void> all(List<CompletableFuture<?>> stages) {
        return CompletableFuture.allOf(stages.toArray(CompletableFuture[]::new));
    }
}
