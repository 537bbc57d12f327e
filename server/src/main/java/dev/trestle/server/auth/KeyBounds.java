package dev.trestle.server.auth;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import dev.trestle.model.EntityKey;
import java.util.List;
import java.util.Optional;

/** The inclusive key range of a table SAS. A row key bounds only the partition at its end of the range. */
record KeyBounds(
        Optional<String> startPartitionKey,
        Optional<String> startRowKey,
        Optional<String> endPartitionKey,
        Optional<String> endRowKey) {

    /** Whether each row key has its partition key. */
    boolean isComplete() {
        return (startRowKey.isEmpty() || startPartitionKey.isPresent())
                && (endRowKey.isEmpty() || endPartitionKey.isPresent());
    }

    boolean contains(EntityKey key) {
        return compare(key, startPartitionKey, startRowKey) >= 0 && compare(key, endPartitionKey, endRowKey) <= 0;
    }

    /** Compares a key with a bound; parts that the bound leaves open count as equal. */
    private static int compare(EntityKey key, Optional<String> partitionKey, Optional<String> rowKey) {
        int order = partitionKey.map(key.partitionKey()::compareTo).orElse(0);
        return order != 0 ? order : rowKey.map(key.rowKey()::compareTo).orElse(0);
    }

    Filter filter() {
        return Filter.and(List.of(
                bound(startPartitionKey, startRowKey, Operator.GT, Operator.GE),
                bound(endPartitionKey, endRowKey, Operator.LT, Operator.LE)));
    }

    private static Filter bound(
            Optional<String> partitionKey, Optional<String> rowKey, Operator beyond, Operator atOrBeyond) {
        if (partitionKey.isEmpty()) {
            return Filter.ALL;
        }
        EdmValue partition = new EdmValue.Text(partitionKey.get());
        if (rowKey.isEmpty()) {
            return Filter.compare(Filter.PARTITION_KEY, atOrBeyond, partition);
        }
        return Filter.or(List.of(
                Filter.compare(Filter.PARTITION_KEY, beyond, partition),
                Filter.and(List.of(
                        Filter.compare(Filter.PARTITION_KEY, Operator.EQ, partition),
                        Filter.compare(Filter.ROW_KEY, atOrBeyond, new EdmValue.Text(rowKey.get()))))));
    }
}
