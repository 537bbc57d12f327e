package dev.trestle.patterns.query;

import java.util.ArrayList;
import java.util.List;

/**
 * The left side of a comparison; its methods complete it to a {@link Filter}. Immutable.
 *
 * @param <V> the type of the values to compare with
 */
public final class Condition<V> {
    private final Operand operand;

    Condition(Operand operand) {
        this.operand = operand;
    }

    public Filter eq(V value) {
        return compare(Operator.EQ, value);
    }

    /** Matches unequal values. Whether it matches entities without the property depends on the service. */
    public Filter ne(V value) {
        return compare(Operator.NE, value);
    }

    public Filter lt(V value) {
        return compare(Operator.LT, value);
    }

    public Filter le(V value) {
        return compare(Operator.LE, value);
    }

    public Filter gt(V value) {
        return compare(Operator.GT, value);
    }

    public Filter ge(V value) {
        return compare(Operator.GE, value);
    }

    /** Matches values from {@code first}, inclusive, to {@code end}, exclusive. */
    public Filter from(V first, V end) {
        return ge(first).and(lt(end));
    }

    /** Matches values from {@code first} to {@code last}, both inclusive. */
    public Filter between(V first, V last) {
        return ge(first).and(le(last));
    }

    /** Matches any of these values. The guide warns that the service scans a whole partition, or table, for an "or". */
    public Filter in(Iterable<? extends V> values) {
        List<Filter> each = new ArrayList<>();
        values.forEach(value -> each.add(eq(value)));
        return new Filter.Any(each);
    }

    /** Matches strings with this prefix, by a range comparison. */
    public Filter startsWith(String prefix) {
        return new Filter.StartsWith(operand, prefix);
    }

    private Filter compare(Operator operator, V value) {
        return new Filter.Comparison(operand, operator, value);
    }
}
