package dev.trestle.patterns.query;

import java.util.ArrayList;
import java.util.List;

/**
 * The beginning of a comparison: where(...) what?
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

    /** Unequal. Whether that holds for entities without the property is for the service to say. */
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

    /** From the first value, included, up to the second, not included. */
    public Filter from(V first, V end) {
        return ge(first).and(lt(end));
    }

    /** From the first value to the last, both included. */
    public Filter between(V first, V last) {
        return ge(first).and(le(last));
    }

    /** One of these. The guide warns that the service looks at a whole partition, or table, to answer an "or". */
    public Filter in(Iterable<? extends V> values) {
        List<Filter> each = new ArrayList<>();
        values.forEach(value -> each.add(eq(value)));
        return new Filter.Any(each);
    }

    /** Begins with this text, as a range from it to the next text that does not. */
    public Filter startsWith(String prefix) {
        return new Filter.StartsWith(operand, prefix);
    }

    private Filter compare(Operator operator, V value) {
        return new Filter.Comparison(operand, operator, value);
    }
}
