package dev.trestle.filter;

import dev.trestle.model.EdmValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A filter on entities, as a syntax tree. Chains of one connective are flat, so the depth of the tree is the
 * number of alternations of "and", "or" and "not". {@code toString} returns the filter grammar.
 */
public sealed interface Filter {
    String PARTITION_KEY = "PartitionKey";
    String ROW_KEY = "RowKey";
    String TIMESTAMP = "Timestamp";

    /** Matches every entity. */
    Filter ALL = new Constant(true);

    /** Matches no entity. */
    Filter NONE = new Constant(false);

    <R> R accept(Visitor<R> visitor);

    /** A visitor with one method per kind of filter, so that the compiler finds all uses of a new kind. */
    interface Visitor<R> {
        R constant(boolean value);

        R comparison(Comparison comparison);

        R and(List<Filter> parts);

        R or(List<Filter> parts);

        R not(Filter part);
    }

    record Constant(boolean value) implements Filter {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.constant(value);
        }

        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    record Comparison(String property, Operator operator, EdmValue literal) implements Filter {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.comparison(this);
        }

        @Override
        public String toString() {
            return property + " " + operator + " " + literal;
        }
    }

    record And(List<Filter> parts) implements Filter {
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.and(parts);
        }

        @Override
        public String toString() {
            return parts.stream()
                    .map(part -> part instanceof Or ? "(" + part + ")" : part.toString())
                    .collect(Collectors.joining(" and "));
        }
    }

    record Or(List<Filter> parts) implements Filter {
        public Or {
            parts = List.copyOf(parts);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.or(parts);
        }

        @Override
        public String toString() {
            return parts.stream().map(Filter::toString).collect(Collectors.joining(" or "));
        }
    }

    record Not(Filter part) implements Filter {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.not(part);
        }

        @Override
        public String toString() {
            return "not (" + part + ")";
        }
    }

    static Filter compare(String property, Operator operator, EdmValue literal) {
        return new Comparison(property, operator, literal);
    }

    /** Returns the conjunction of the parts, flattened and without {@link #ALL}. */
    static Filter and(List<Filter> parts) {
        List<Filter> flat = new ArrayList<>(parts.size());
        for (Filter part : parts) {
            if (part instanceof And nested) {
                flat.addAll(nested.parts());
            } else if (!part.equals(ALL)) {
                flat.add(part);
            }
        }
        return flat.isEmpty() ? ALL : flat.size() == 1 ? flat.get(0) : new And(flat);
    }

    /** Returns the disjunction of the parts, flattened and without {@link #NONE}. */
    static Filter or(List<Filter> parts) {
        List<Filter> flat = new ArrayList<>(parts.size());
        for (Filter part : parts) {
            if (part instanceof Or nested) {
                flat.addAll(nested.parts());
            } else if (!part.equals(NONE)) {
                flat.add(part);
            }
        }
        return flat.isEmpty() ? NONE : flat.size() == 1 ? flat.get(0) : new Or(flat);
    }

    static Filter not(Filter part) {
        return part instanceof Not nested ? nested.part() : new Not(part);
    }
}
