package dev.trestle.benchmarks.load;

import java.util.List;
import java.util.stream.IntStream;

/** The entities that are there before anything is measured: partitions of a thousand rows, numbered from zero. */
public final class DataSet {
    public static final int PARTITION_ROWS = 1000;

    private final List<String> partitionKeys;

    private DataSet(int partitions) {
        partitionKeys =
                IntStream.range(0, partitions).mapToObj(Entities::partitionKey).toList();
    }

    /** So many entities, a multiple of {@link #PARTITION_ROWS}. */
    public static DataSet of(long entities) {
        if (entities < PARTITION_ROWS || entities % PARTITION_ROWS != 0) {
            throw new IllegalArgumentException("entities come in partitions of " + PARTITION_ROWS);
        }
        return new DataSet(Math.toIntExact(entities / PARTITION_ROWS));
    }

    public long entities() {
        return (long) partitions() * PARTITION_ROWS;
    }

    int partitions() {
        return partitionKeys.size();
    }

    String partitionKey(int partition) {
        return partitionKeys.get(partition);
    }
}
