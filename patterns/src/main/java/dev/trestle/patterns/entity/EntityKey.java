package dev.trestle.patterns.entity;

/** The key of an entity: partition key and row key. */
public record EntityKey(String partitionKey, String rowKey) {
    public static final String PARTITION_KEY = "PartitionKey";
    public static final String ROW_KEY = "RowKey";

    @Override
    public String toString() {
        return "'" + partitionKey + "'/'" + rowKey + "'";
    }
}
