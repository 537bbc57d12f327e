package dev.trestle.benchmarks.load;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Unique keys for inserts, in partitions that sort before those of the data set, so that inserts do not change the result
 * of reads.
 */
public final class InsertKeys {
    private static final int PARTITIONS = 100;

    private final List<String> partitionKeys;
    private final AtomicLong nextRow = new AtomicLong();

    /** Creates the keys of a run with a unique name. */
    public InsertKeys(String run) {
        partitionKeys = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> "insert-" + run + "-" + partition)
                .toList();
    }

    /** Takes this many consecutive row numbers and returns the first. */
    long take(int rows) {
        return nextRow.getAndAdd(rows);
    }

    /** Returns the partition of rows that were taken together. */
    String partitionKey(long firstRow, int rows) {
        return partitionKeys.get((int) (firstRow / rows % PARTITIONS));
    }
}
