package dev.trestle.patterns;

import java.util.function.Consumer;

/**
 * Options of a bulk write. Writes are consumed in windows of some thousands and grouped by partition into transactions of at
 * most 100 writes and 4 MiB. Partitions are written in parallel; the transactions of one partition are sequential, so two writes
 * to one entity are applied in order.
 *
 * @param parallelism the maximum number of transactions in flight
 * @param progress called after each transaction, from several threads but never concurrently
 */
public record BulkOptions(int parallelism, Consumer<BulkProgress> progress) {
    public BulkOptions {
        if (parallelism < 1) {
            throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
        }
    }

    /** Returns a parallelism of 8 and no progress listener. */
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
