package dev.trestle.patterns.access;

import java.util.Optional;

/**
 * The keys between two ends, both included, sorted by partition key first and row key second. An end without a row key takes
 * in the whole partition it names.
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
            throw new IllegalArgumentException("A row key says nothing without the partition key it is in");
        }
    }

    /** The whole table. */
    public static KeyRange everything() {
        return new KeyRange(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** One partition. */
    public static KeyRange partition(String partitionKey) {
        return partitions(partitionKey, partitionKey);
    }

    /** All partitions from the first to the last, both included. */
    public static KeyRange partitions(String first, String last) {
        return new KeyRange(Optional.of(first), Optional.empty(), Optional.of(last), Optional.empty());
    }

    /** All rows of a partition from the first to the last, both included. */
    public static KeyRange rows(String partitionKey, String first, String last) {
        return new KeyRange(
                Optional.of(partitionKey), Optional.of(first), Optional.of(partitionKey), Optional.of(last));
    }
}
