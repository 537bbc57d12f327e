package dev.trestle.plan;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.model.EdmValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The entities from one position up to, not including, another, in key order. */
public record KeySpan(Position from, Position to) {
    static final KeySpan ALL = new KeySpan(new Position("", null, false), new Position(null, null, true));

    /**
     * A position in the order of entities.
     *
     * @param partitionKey null for the position after all entities
     * @param rowKey null for the position before or after the whole partition
     * @param after whether the position is after the entity or partition, not before it
     */
    public record Position(
            @Nullable String partitionKey, @Nullable String rowKey, boolean after) {

        byte[] encode(long collection) {
            if (partitionKey == null) {
                return Key.collectionRange(collection).to();
            }
            if (rowKey == null) {
                return after
                        ? Key.afterPartition(collection, partitionKey)
                        : Key.beforePartition(collection, partitionKey);
            }
            return after
                    ? Key.afterRow(collection, partitionKey, rowKey)
                    : Key.of(collection, partitionKey, rowKey).bytes();
        }
    }

    static KeySpan ofPartitions(Interval partitions) {
        return new KeySpan(position(partitions.from()), position(partitions.to()));
    }

    static KeySpan ofRows(String partitionKey, Interval rows) {
        String only = rows.from().value();
        if (rows.isPoint() && only != null) {
            // Also for the empty row key, whose position would otherwise be the start of the partition.
            return new KeySpan(new Position(partitionKey, only, false), new Position(partitionKey, only, true));
        }
        return new KeySpan(position(partitionKey, rows.from()), position(partitionKey, rows.to()));
    }

    static Position position(Cut partition) {
        return new Position(partition.value(), null, partition.after());
    }

    static Position position(String partitionKey, Cut row) {
        // The positions before the first possible row and after the last one are the ends of the partition.
        String value = row.value();
        if (value == null || row.equals(Cut.FIRST)) {
            return new Position(partitionKey, null, row.after());
        }
        return new Position(partitionKey, value, row.after());
    }

    public KeyRange encode(long collection) {
        return new KeyRange(from.encode(collection), to.encode(collection));
    }

    /** Returns whether the span contains at most one entity. */
    public boolean isPoint() {
        return samePartition() && from.rowKey != null && from.rowKey.equals(to.rowKey) && !from.after && to.after;
    }

    /** Returns whether the span is exactly one partition. */
    public boolean isPartition() {
        return samePartition() && from.rowKey == null && to.rowKey == null && !from.after && to.after;
    }

    /** Returns the partition of the span, if there is only one. */
    Optional<String> partition() {
        return samePartition() ? Optional.ofNullable(from.partitionKey) : Optional.empty();
    }

    private boolean samePartition() {
        return from.partitionKey != null && from.partitionKey.equals(to.partitionKey);
    }

    @Override
    public String toString() {
        if (isPoint()) {
            return keys(from);
        }
        if (isPartition()) {
            return keys(from);
        }
        String open = from.after ? "(" : "[";
        String close = to.after && to.partitionKey != null ? "]" : ")";
        String start = "".equals(from.partitionKey) && from.rowKey == null && !from.after ? "" : keys(from);
        return open + start + ".." + keys(to) + close;
    }

    private static String keys(Position position) {
        if (position.partitionKey == null) {
            return "";
        }
        String partition = new EdmValue.Text(position.partitionKey).toString();
        return position.rowKey == null ? partition : partition + "/" + new EdmValue.Text(position.rowKey);
    }
}
