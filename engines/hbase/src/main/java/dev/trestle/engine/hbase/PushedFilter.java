package dev.trestle.engine.hbase;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Cesu8;
import dev.trestle.keyspace.Key;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.jspecify.annotations.Nullable;

/**
 * Translates the part of a filter that region servers can evaluate (filter pushdown) to built-in HBase filters. A
 * comparison with a property becomes a set of intervals of cell values. Negation is pushed down to the
 * comparisons, where it selects the complement and rows without the property. Conditions on row keys are not
 * pushed down, because the row keys of several partitions are not ordered in HBase.
 */
final class PushedFilter {
    private final Optional<org.apache.hadoop.hbase.filter.Filter> filter;
    private final boolean nothing;
    private final boolean exact;
    private final Set<byte[]> columns;

    private PushedFilter(
            Optional<org.apache.hadoop.hbase.filter.Filter> filter,
            boolean nothing,
            boolean exact,
            Set<byte[]> columns) {
        this.filter = filter;
        this.nothing = nothing;
        this.exact = exact;
        this.columns = columns;
    }

    /** @param collection the collection of all rows, if there is only one */
    static PushedFilter of(Filter filter, OptionalLong collection) {
        Compiler compiler = new Compiler(collection, false);
        Node node = filter.accept(compiler);
        return new PushedFilter(
                Optional.ofNullable(node.filter), node.isConstant(false), compiler.state.exact, compiler.state.columns);
    }

    /** Returns the HBase filter; empty if it would accept every row. */
    Optional<org.apache.hadoop.hbase.filter.Filter> filter() {
        return filter;
    }

    /** Returns whether no row can match. */
    boolean matchesNothing() {
        return nothing;
    }

    /** Returns whether every accepted row matches; if not, each must be checked again. */
    boolean isExact() {
        return exact;
    }

    /** Returns the columns that the filter needs. */
    Set<byte[]> columns() {
        return columns;
    }

    /**
     * A translated part: an HBase filter or, without one, all or no rows.
     *
     * @param all ignored if there is a filter
     */
    private record Node(org.apache.hadoop.hbase.filter.@Nullable Filter filter, boolean all) {
        static Node constant(boolean value) {
            return new Node(null, value);
        }

        static Node of(org.apache.hadoop.hbase.filter.Filter filter) {
            return new Node(filter, false);
        }

        boolean isConstant(boolean value) {
            return filter == null && all == value;
        }
    }

    /** Results collected during the translation. */
    private static final class State {
        private final Set<byte[]> columns = new TreeSet<>(Arrays::compareUnsigned);
        private boolean exact = true;
    }

    /** A half-open interval; unbounded without an end. */
    private record Interval(byte[] from, Optional<byte[]> to) {}

    private static final class Compiler implements Filter.Visitor<Node> {
        private final OptionalLong collection;
        private final boolean negated;
        private final State state;

        Compiler(OptionalLong collection, boolean negated) {
            this(collection, negated, new State());
        }

        private Compiler(OptionalLong collection, boolean negated, State state) {
            this.collection = collection;
            this.negated = negated;
            this.state = state;
        }

        @Override
        public Node constant(boolean value) {
            return Node.constant(value != negated);
        }

        @Override
        public Node and(List<Filter> parts) {
            return join(parts, !negated);
        }

        @Override
        public Node or(List<Filter> parts) {
            return join(parts, negated);
        }

        @Override
        public Node not(Filter part) {
            return part.accept(new Compiler(collection, !negated, state));
        }

        private Node join(List<Filter> parts, boolean all) {
            List<org.apache.hadoop.hbase.filter.Filter> filters = new ArrayList<>();
            boolean decided = false;
            // Every part, even if one decides, because checking a row again needs the columns of all of them.
            for (Filter part : parts) {
                Node node = part.accept(this);
                decided |= node.isConstant(!all);
                if (node.filter != null) {
                    filters.add(node.filter);
                }
            }
            return decided ? Node.constant(!all) : joined(filters, all);
        }

        private static Node joined(List<org.apache.hadoop.hbase.filter.Filter> filters, boolean all) {
            if (filters.isEmpty()) {
                return Node.constant(all);
            }
            return filters.size() == 1
                    ? Node.of(filters.get(0))
                    : Node.of(new FilterList(
                            all ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE, filters));
        }

        @Override
        public Node comparison(Filter.Comparison comparison) {
            Operator operator = comparison.operator();
            EdmValue literal = comparison.literal();
            switch (comparison.property()) {
                case Filter.PARTITION_KEY -> {
                    return literal instanceof EdmValue.Text text
                            ? partition(negated ? operator.negated() : operator, text.value())
                            : Node.constant(operator.holdsAcrossTypes() != negated);
                }
                case Filter.ROW_KEY -> {
                    if (!(literal instanceof EdmValue.Text)) {
                        return Node.constant(operator.holdsAcrossTypes() != negated);
                    }
                    return undecided();
                }
                case Filter.TIMESTAMP -> {
                    return literal instanceof EdmValue.DateTime time
                            ? column(RowCells.VERSION, versions(operator, time.ticks()))
                            : Node.constant(operator.holdsAcrossTypes() != negated);
                }
                default -> {
                    return column(Cesu8.encode(comparison.property()), intervals(operator, literal));
                }
            }
        }

        /** Returns a part that accepts every row, to be checked again. */
        private Node undecided() {
            state.exact = false;
            return Node.constant(true);
        }

        private Node partition(Operator operator, String key) {
            if (collection.isEmpty()) {
                return undecided();
            }
            byte[] before = Key.beforePartition(collection.getAsLong(), key);
            byte[] after = Key.afterPartition(collection.getAsLong(), key);
            return switch (operator) {
                case LT -> Node.of(row(CompareOperator.LESS, before));
                case LE -> Node.of(row(CompareOperator.LESS, after));
                case GE -> Node.of(row(CompareOperator.GREATER_OR_EQUAL, before));
                case GT -> Node.of(row(CompareOperator.GREATER_OR_EQUAL, after));
                case EQ ->
                    joined(
                            List.of(row(CompareOperator.GREATER_OR_EQUAL, before), row(CompareOperator.LESS, after)),
                            true);
                case NE ->
                    joined(
                            List.of(row(CompareOperator.LESS, before), row(CompareOperator.GREATER_OR_EQUAL, after)),
                            false);
            };
        }

        private static org.apache.hadoop.hbase.filter.Filter row(CompareOperator operator, byte[] position) {
            return new RowFilter(operator, new BinaryComparator(position));
        }

        /** Selects rows whose column is in one of the intervals; negated, in none of them or missing. */
        private Node column(byte[] name, List<Interval> intervals) {
            state.columns.add(name);
            List<Interval> wanted = negated ? complement(intervals) : intervals;
            List<org.apache.hadoop.hbase.filter.Filter> filters = new ArrayList<>();
            for (Interval interval : wanted) {
                List<org.apache.hadoop.hbase.filter.Filter> bounds = new ArrayList<>();
                bounds.add(bound(name, CompareOperator.GREATER_OR_EQUAL, interval.from));
                interval.to.ifPresent(to -> bounds.add(bound(name, CompareOperator.LESS, to)));
                Node both = joined(bounds, true);
                if (both.filter != null) {
                    filters.add(both.filter);
                }
            }
            if (filters.isEmpty() && negated) {
                // Only rows without the column match.
                filters.add(bound(name, CompareOperator.LESS, new byte[0]));
            }
            return joined(filters, false);
        }

        private org.apache.hadoop.hbase.filter.Filter bound(byte[] name, CompareOperator operator, byte[] value) {
            SingleColumnValueFilter filter =
                    new SingleColumnValueFilter(RowCells.FAMILY, name, operator, new BinaryComparator(value));
            filter.setFilterIfMissing(!negated);
            return filter;
        }
    }

    private static List<Interval> complement(List<Interval> intervals) {
        List<Interval> rest = new ArrayList<>();
        byte[] from = new byte[0];
        for (Interval interval : intervals) {
            if (Arrays.compareUnsigned(from, interval.from) < 0) {
                rest.add(new Interval(from, Optional.of(interval.from)));
            }
            if (interval.to.isEmpty()) {
                return rest;
            }
            from = interval.to.get();
        }
        rest.add(new Interval(from, Optional.empty()));
        return rest;
    }

    private static List<Interval> versions(Operator operator, long ticks) {
        byte[] at = ByteBuffer.allocate(Long.BYTES).putLong(ticks).array();
        // The rest of the head cell makes it greater than its version, but less than the next version.
        byte[] next = ByteBuffer.allocate(Long.BYTES).putLong(ticks + 1).array();
        return between(operator, new byte[0], at, next, Optional.empty());
    }

    /** Returns the cell values for which the comparison with the literal holds, in ascending order. */
    private static List<Interval> intervals(Operator operator, EdmValue literal) {
        List<Interval> intervals = new ArrayList<>();
        for (EdmType type : EdmType.values()) {
            byte[] start = {type.code()};
            byte[] end = {(byte) (type.code() + 1)};
            Optional<EdmValue> comparable = comparable(type, literal);
            if (comparable.isEmpty()) {
                if (operator.holdsAcrossTypes()) {
                    intervals.add(new Interval(start, Optional.of(end)));
                }
            } else if (comparable.get() instanceof EdmValue.Real number) {
                intervals.addAll(reals(operator, number.value(), start, end));
            } else {
                byte[] value = CellValues.encode(comparable.get());
                intervals.addAll(between(operator, start, value, CellValues.after(value), Optional.of(end)));
            }
        }
        return intervals;
    }

    /** IEEE comparison: both zeros are equal, and NaN, which sorts last, differs from everything. */
    private static List<Interval> reals(Operator operator, double literal, byte[] start, byte[] end) {
        if (Double.isNaN(literal)) {
            return operator == Operator.NE ? List.of(new Interval(start, Optional.of(end))) : List.of();
        }
        byte[] low = CellValues.real(literal == 0 ? -0.0 : literal);
        byte[] high = CellValues.after(CellValues.real(literal == 0 ? 0.0 : literal));
        byte[] top = operator == Operator.NE ? end : CellValues.after(CellValues.real(Double.POSITIVE_INFINITY));
        return between(operator, start, low, high, Optional.of(top));
    }

    /** Returns the intervals of an operator: below the low bound, from it to the high one, or above. */
    private static List<Interval> between(
            Operator operator, byte[] start, byte[] low, byte[] high, Optional<byte[]> end) {
        Interval below = new Interval(start, Optional.of(low));
        Interval above = new Interval(high, end);
        return switch (operator) {
            case EQ -> List.of(new Interval(low, Optional.of(high)));
            case NE -> List.of(below, above);
            case LT -> List.of(below);
            case LE -> List.of(new Interval(start, Optional.of(high)));
            case GT -> List.of(above);
            case GE -> List.of(new Interval(low, end));
        };
    }

    /** Converts the literal to the type of the property, if both are comparable. */
    private static Optional<EdmValue> comparable(EdmType type, EdmValue literal) {
        return switch (type) {
            case STRING -> only(literal instanceof EdmValue.Text, literal);
            case INT32 -> only(literal instanceof EdmValue.Int32, literal);
            case INT64 ->
                literal instanceof EdmValue.Int32 number
                        ? Optional.of(new EdmValue.Int64(number.value()))
                        : only(literal instanceof EdmValue.Int64, literal);
            case DOUBLE ->
                literal instanceof EdmValue.Int32 narrow
                        ? Optional.of(new EdmValue.Real(narrow.value()))
                        : literal instanceof EdmValue.Int64 wide
                                ? Optional.of(new EdmValue.Real((double) wide.value()))
                                : only(literal instanceof EdmValue.Real, literal);
            case BOOLEAN -> only(literal instanceof EdmValue.Bool, literal);
            case DATE_TIME -> only(literal instanceof EdmValue.DateTime, literal);
            case GUID -> only(literal instanceof EdmValue.Guid, literal);
            case BINARY -> only(literal instanceof EdmValue.Binary, literal);
        };
    }

    private static Optional<EdmValue> only(boolean comparable, EdmValue literal) {
        return comparable ? Optional.of(literal) : Optional.empty();
    }
}
