package dev.trestle.patterns.access;

import java.util.Optional;

/**
 * A range of keys, ordered by partition key and then row key, with both ends inclusive. An end without a row key includes the
 * whole partition.
 */
public record KeyRange(
        Optional<String> startPartitionKey,
        Optional<String> startRowKey,
        Optional<String> endPartitionKey,
        Optional<String> endRowKey) {
    public KeyRange {
        boolean startLost = startRowKey.isPresent() && startPartitionKey.isEmpty();
        boolean endLost = endRowKey.isPresent() && endPartitionKey.isEmpty();
        if (startLost || endLost) {
            throw new IllegalArgumentException("A row key needs the partition key of the same end");
        }
    }

    /** Returns the range of the whole table. */
    public static KeyRange everything() {
        return new KeyRange(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the range of one partition. */
    public static KeyRange partition(String partitionKey) {
        return partitions(partitionKey, partitionKey);
    }

    /** Returns the range of the partitions from the first to the last, both inclusive. */
    public static KeyRange partitions(String first, String last) {
        return new KeyRange(Optional.of(first), Optional.empty(), Optional.of(last), Optional.empty());
    }

    /** Returns the range of row keys of a partition from the first to the last, both inclusive. */
    public static KeyRange rows(String partitionKey, String first, String last) {
        return new KeyRange(
                Optional.of(partitionKey), Optional.of(first), Optional.of(partitionKey), Optional.of(last));
    }
}
