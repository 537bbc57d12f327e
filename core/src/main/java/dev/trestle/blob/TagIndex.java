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
 * The inverted index of blobs by tags. A commit is atomic within one partition only, so index rows are written
 * before the row of the blob, and removed after it. The index may have stale rows, and never lacks a row of a tag
 * that a blob has.
 *
 * <p>Each attempt to write a blob adds index rows of its own, with a random number that is stored in the blob's
 * row too. So stale rows are recognised, and a writer never removes a row that a concurrent writer needs.
 */
final class TagIndex {
    private final BlobRowStore rows;
    private final MonotonicTicks ticks;
    private final RandomGenerator random;
    private final Consumer<Throwable> failureListener;

    /**
     * Creates the index.
     *
     * @param random draws the numbers of rows; thread-safe
     * @param failureListener receives failures that no request can report
     */
    TagIndex(BlobRowStore rows, MonotonicTicks ticks, RandomGenerator random, Consumer<Throwable> failureListener) {
        this.rows = rows;
        this.ticks = ticks;
        this.random = random;
        this.failureListener = failureListener;
    }

    /** Adds rows for the tags that have none. Must be called before each attempt to write the blob. */
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

    /** Removes the rows of tags that the blob does not have any more. Never fails, as readers skip stale rows. */
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
