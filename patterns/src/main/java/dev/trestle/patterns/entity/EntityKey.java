package dev.trestle.patterns.entity;

/** What identifies an entity in its table. */
public record EntityKey(String partitionKey, String rowKey) {
    public static final String PARTITION_KEY = "PartitionKey";
    public static final String ROW_KEY = "RowKey";

    @Override
    public String toString() {
        return "'" + partitionKey + "'/'" + rowKey + "'";
    }
}
