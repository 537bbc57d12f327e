package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityKey;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The access path that the service uses for a query, cheapest first, as defined by the table design guide. An "or" of keys counts
 * as a scan, as the guide says, although some servers do better.
 */
public enum AccessPath {
    /** Partition key and row key are given: one entity. */
    POINT,
    /** A range of row keys in one partition. */
    RANGE,
    /** All entities of one partition. */
    PARTITION_SCAN,
    /** All partitions. */
    TABLE_SCAN;

    /** Returns the access path of a resolved filter. */
    static AccessPath of(Filter filter) {
        Optional<Object> partition = equality(filter, EntityKey.PARTITION_KEY);
        if (partition.isEmpty()) {
            return TABLE_SCAN;
        } else if (equality(filter, EntityKey.ROW_KEY).isPresent()) {
            return POINT;
        }
        return bounds(filter).isEmpty() ? PARTITION_SCAN : RANGE;
    }

    /** Returns the single value that a key must have for the filter to match, if there is one. */
    private static Optional<Object> equality(Filter filter, String key) {
        if (filter instanceof Filter.Comparison comparison) {
            boolean fixes = comparison.operator() == Operator.EQ && isOn(comparison, key);
            return fixes ? Optional.of(comparison.value()) : Optional.empty();
        } else if (filter instanceof Filter.All all) {
            return all.filters().stream()
                    .flatMap(part -> equality(part, key).stream())
                    .findFirst();
        } else if (filter instanceof Filter.Any any) {
            return sameInEach(any.filters(), key);
        }
        return Optional.empty();
    }

    private static Optional<Object> sameInEach(List<Filter> branches, String key) {
        Set<Optional<Object>> values = new HashSet<>();
        branches.forEach(branch -> values.add(equality(branch, key)));
        return values.size() == 1 ? values.iterator().next() : Optional.empty();
    }

    private static boolean isOn(Filter.Comparison comparison, String key) {
        return comparison.operand() instanceof Operand.Named named
                && named.name().equals(key);
    }

    private static Set<Operator> bounds(Filter filter) {
        Set<Operator> bounds = new HashSet<>();
        if (filter instanceof Filter.All all) {
            all.filters().forEach(part -> bounds.addAll(bounds(part)));
        } else if (filter instanceof Filter.Comparison comparison
                && comparison.operator() != Operator.NE
                && isOn(comparison, EntityKey.ROW_KEY)) {
            bounds.add(comparison.operator());
        }
        return bounds;
    }
}
