package dev.trestle.benchmarks.load;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Keys that no run before has inserted, in partitions of their own that sort before those of the data set: what is
 * measured of reading does not change by what was inserted.
 */
public final class InsertKeys {
    private static final int PARTITIONS = 100;

    private final List<String> partitionKeys;
    private final AtomicLong nextRow = new AtomicLong();

    /** The keys of a run that is called as no other is. */
    public InsertKeys(String run) {
        partitionKeys = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> "insert-" + run + "-" + partition)
                .toList();
    }

    /** Takes the keys of so many rows that follow each other, and returns the first. */
    long take(int rows) {
        return nextRow.getAndAdd(rows);
    }

    /** The partition that the rows taken together go to. */
    String partitionKey(long firstRow, int rows) {
        return partitionKeys.get((int) (firstRow / rows % PARTITIONS));
    }
}
