package dev.trestle.plan;

import dev.trestle.filter.Filter;
import dev.trestle.keyspace.KeyRange;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The plan of a query: the key spans to scan, and the filter to evaluate on each entity found there. {@code
 * toString} returns one line.
 *
 * @param spans disjoint and ascending
 * @param residual the conditions that the spans do not guarantee
 */
public record QueryPlan(List<KeySpan> spans, Filter residual) {
    private static final int PRINTED_SPANS_MAX = 8;

    /** The kinds of queries in the design guide, from cheap to expensive. */
    public enum AccessPath {
        NOTHING("nothing"),
        POINT("point"),
        RANGE("range"),
        PARTITION_SCAN("partition scan"),
        TABLE_SCAN("table scan");

        private final String words;

        AccessPath(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    public QueryPlan {
        spans = List.copyOf(spans);
    }

    public AccessPath accessPath() {
        if (spans.isEmpty()) {
            return AccessPath.NOTHING;
        }
        if (spans.stream().allMatch(KeySpan::isPoint)) {
            return AccessPath.POINT;
        }
        if (spans.contains(KeySpan.ALL)) {
            return AccessPath.TABLE_SCAN;
        }
        return spans.stream().allMatch(span -> span.isPartition() || span.isPoint())
                ? AccessPath.PARTITION_SCAN
                : AccessPath.RANGE;
    }

    /** Returns the partition of all spans, if there is only one. */
    public Optional<String> onlyPartition() {
        Optional<String> first =
                spans.isEmpty() ? Optional.empty() : spans.get(0).partition();
        return spans.stream().allMatch(span -> span.partition().equals(first)) ? first : Optional.empty();
    }

    public List<KeyRange> ranges(long collection) {
        return spans.stream().map(span -> span.encode(collection)).toList();
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(accessPath().toString());
        if (accessPath() != AccessPath.TABLE_SCAN && accessPath() != AccessPath.NOTHING) {
            line.append(' ')
                    .append(spans.stream()
                            .limit(PRINTED_SPANS_MAX)
                            .map(KeySpan::toString)
                            .collect(Collectors.joining(", ")));
            if (spans.size() > PRINTED_SPANS_MAX) {
                line.append(" and ").append(spans.size() - PRINTED_SPANS_MAX).append(" more");
            }
        }
        if (!residual.equals(Filter.ALL) && !spans.isEmpty()) {
            line.append(" where ").append(residual);
        }
        return line.toString();
    }
}
