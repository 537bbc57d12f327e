package dev.trestle.patterns;

import java.util.function.Consumer;

/**
 * How bulk work is done. Writes are taken as they come, some thousands at a time, and put together by partition into
 * transactions of at most 100 writes and 4 MiB. Partitions are written at once, as many as said here; the transactions of one
 * partition follow each other, so that two writes of one entity happen in their order.
 *
 * @param parallelism how many transactions may be under way
 * @param progress told after each transaction, from several threads but never from two at once
 */
public record BulkOptions(int parallelism, Consumer<BulkProgress> progress) {
    public BulkOptions {
        if (parallelism < 1) {
            throw new IllegalArgumentException("Something has to be under way, not " + parallelism);
        }
    }

    /** Eight at once, and nobody told. */
    public static BulkOptions standard() {
        return new BulkOptions(8, progress -> {});
    }

    public BulkOptions withParallelism(int many) {
        return new BulkOptions(many, progress);
    }

    public BulkOptions withProgress(Consumer<BulkProgress> listener) {
        return new BulkOptions(parallelism, listener);
    }
}
