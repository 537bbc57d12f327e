package dev.trestle.benchmarks.load;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The entities that are loaded before the measurement: partitions of a thousand rows, numbered from zero. */
public final class DataSet {
    public static final int PARTITION_ROWS = 1000;

    private final List<String> partitionKeys;
    private final int used;

    private DataSet(int partitions, int used) {
        partitionKeys =
                IntStream.range(0, partitions).mapToObj(Entities::partitionKey).toList();
        this.used = used;
    }

    /** So many entities, a multiple of {@link #PARTITION_ROWS}, any of which may be asked for. */
    public static DataSet of(long entities) {
        return of(entities, entities);
    }

    /** So many entities, of which only some are asked for; both multiples of {@link #PARTITION_ROWS}. */
    public static DataSet of(long entities, long workingSet) {
        return new DataSet(partitions(entities), partitions(Math.min(entities, workingSet)));
    }

    private static int partitions(long entities) {
        if (entities < PARTITION_ROWS || entities % PARTITION_ROWS != 0) {
            throw new IllegalArgumentException("entities come in partitions of " + PARTITION_ROWS);
        }
        return Math.toIntExact(entities / PARTITION_ROWS);
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

    /** A partition that is asked for; they lie evenly across the table. */
    String anyPartitionKey(RandomGenerator random) {
        return partitionKey((int) ((long) random.nextInt(used) * partitions() / used));
    }
}
