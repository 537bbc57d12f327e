package dev.trestle.plan;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Plans queries.
 *
 * <p>The planner computes the set of keys that can match a filter. A comparison of PartitionKey or RowKey with a
 * string is an exact set of keys. Any other comparison may be true for every key. "And" is intersection, "or" is
 * union, and "not" is pushed down to the comparisons first. The set is exact if the filter compares keys only. It
 * is then divided into spans of the key order. A partition gives one span per interval of its row keys. An
 * interval of partitions gives one span, where conditions on the row key can only trim both ends.
 *
 * <p>If the spans are exactly the set, top-level conditions that compare keys only are dropped from the residual
 * filter, because the spans guarantee them.
 */
public final class Planner {
    private Planner() {}

    public static QueryPlan plan(Filter filter) {
        KeySet keys = filter.accept(new Keys(false));
        List<KeySpan> spans = new ArrayList<>();
        boolean exact = !keys.coarse();
        for (KeySet.Box box : keys.boxes()) {
            exact &= addSpans(box, spans);
        }
        Filter residual = exact ? withoutKeyConditions(filter) : filter;
        return new QueryPlan(joined(spans), spans.isEmpty() ? Filter.NONE : residual);
    }

    /** Adds the spans of a box; false if they contain keys that are not in the box. */
    private static boolean addSpans(KeySet.Box box, List<KeySpan> spans) {
        Interval partitions = box.partitions();
        List<Interval> rows = box.rows().intervals();
        String first = partitions.from().value();
        if (partitions.isPoint() && first != null) {
            for (Interval interval : rows) {
                spans.add(KeySpan.ofRows(first, interval));
            }
            return true;
        }
        if (box.rows().isAll()) {
            spans.add(KeySpan.ofPartitions(partitions));
            return true;
        }
        KeySpan.Position from = first != null && !partitions.from().after()
                ? KeySpan.position(first, rows.get(0).from())
                : KeySpan.position(partitions.from());
        String last = partitions.to().value();
        KeySpan.Position to = last != null && partitions.to().after()
                ? KeySpan.position(last, rows.get(rows.size() - 1).to())
                : KeySpan.position(partitions.to());
        spans.add(new KeySpan(from, to));
        return false;
    }

    /** Joins adjacent spans, so that a scan does not seek to its current position. */
    private static List<KeySpan> joined(List<KeySpan> spans) {
        List<KeySpan> joined = new ArrayList<>(spans.size());
        for (KeySpan span : spans) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).to().equals(span.from())) {
                joined.set(last, new KeySpan(joined.get(last).from(), span.to()));
            } else {
                joined.add(span);
            }
        }
        return joined;
    }

    private static Filter withoutKeyConditions(Filter filter) {
        if (filter instanceof Filter.And and) {
            return Filter.and(and.parts().stream()
                    .filter(part -> !part.accept(ComparesOnlyKeys.INSTANCE))
                    .toList());
        }
        return filter.accept(ComparesOnlyKeys.INSTANCE) ? Filter.ALL : filter;
    }

    /** Computes the keys that can match a filter, or its negation if {@code negated}. */
    private record Keys(boolean negated) implements Filter.Visitor<KeySet> {
        @Override
        public KeySet constant(boolean value) {
            return value != negated ? KeySet.ALL : KeySet.NONE;
        }

        @Override
        public KeySet comparison(Filter.Comparison comparison) {
            boolean partition = comparison.property().equals(Filter.PARTITION_KEY);
            if (!partition && !comparison.property().equals(Filter.ROW_KEY)) {
                return KeySet.ALL;
            }
            if (!(comparison.literal() instanceof EdmValue.Text text)) {
                return constant(comparison.operator().holdsAcrossTypes());
            }
            Operator operator = negated ? comparison.operator().negated() : comparison.operator();
            StringSet strings = StringSet.of(operator, text.value());
            return partition ? KeySet.ofPartitions(strings) : KeySet.ofRows(strings);
        }

        @Override
        public KeySet and(List<Filter> parts) {
            return negated ? unionOf(parts) : intersectionOf(parts);
        }

        @Override
        public KeySet or(List<Filter> parts) {
            return negated ? intersectionOf(parts) : unionOf(parts);
        }

        @Override
        public KeySet not(Filter part) {
            return part.accept(new Keys(!negated));
        }

        private KeySet intersectionOf(List<Filter> parts) {
            return fold(parts, KeySet.ALL, KeySet::intersect);
        }

        private KeySet unionOf(List<Filter> parts) {
            return fold(parts, KeySet.NONE, KeySet::union);
        }

        /** Combines parts as a balanced tree, so that a chain of n parts costs n log n, not n squared. */
        private KeySet fold(List<Filter> parts, KeySet empty, BinaryOperator<KeySet> combine) {
            if (parts.isEmpty()) {
                return empty;
            }
            if (parts.size() == 1) {
                return parts.get(0).accept(this);
            }
            int half = parts.size() / 2;
            return combine.apply(
                    fold(parts.subList(0, half), empty, combine),
                    fold(parts.subList(half, parts.size()), empty, combine));
        }
    }

    /** Returns whether a filter compares keys only. */
    private enum ComparesOnlyKeys implements Filter.Visitor<Boolean> {
        INSTANCE;

        @Override
        public Boolean constant(boolean value) {
            return true;
        }

        @Override
        public Boolean comparison(Filter.Comparison comparison) {
            return comparison.property().equals(Filter.PARTITION_KEY)
                    || comparison.property().equals(Filter.ROW_KEY);
        }

        @Override
        public Boolean and(List<Filter> parts) {
            return parts.stream().allMatch(part -> part.accept(this));
        }

        @Override
        public Boolean or(List<Filter> parts) {
            return parts.stream().allMatch(part -> part.accept(this));
        }

        @Override
        public Boolean not(Filter part) {
            return part.accept(this);
        }
    }
}
