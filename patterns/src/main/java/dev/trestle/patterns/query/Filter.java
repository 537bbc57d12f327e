package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityMapping;
import java.util.List;
import java.util.Set;

/**
 * An immutable filter of entities. Created by {@link Filters}; combined with {@link #and}, {@link #or} and {@link #not}. Values are
 * always escaped, so injection is impossible.
 */
public sealed interface Filter {
    /** A comparison of a property, key or attribute with a value. */
    record Comparison(Operand operand, Operator operator, Object value) implements Filter {}

    /** Matches if the operand starts with a prefix. */
    record StartsWith(Operand operand, String prefix) implements Filter {}

    /** Matches if all of the filters match; matches everything if there are none. */
    record All(List<Filter> filters) implements Filter {
        public All {
            filters = List.copyOf(filters);
        }
    }

    /** Matches if at least one of the filters matches. */
    record Any(List<Filter> filters) implements Filter {
        public Any {
            filters = List.copyOf(filters);
            if (filters.isEmpty()) {
                throw new IllegalArgumentException("Any needs at least one filter, and in() at least one value");
            }
        }
    }

    /** Matches if the filter does not match. */
    record Not(Filter filter) implements Filter {}

    /** Returns a filter that matches if both match. */
    default Filter and(Filter other) {
        return new All(List.of(this, other));
    }

    /** Returns a filter that matches if either matches. */
    default Filter or(Filter other) {
        return new Any(List.of(this, other));
    }

    /** Returns the negation. Note that it matches entities without the compared property. */
    default Filter not() {
        return new Not(this);
    }

    /** Returns the OData filter for entities of this mapping; empty if it matches everything. */
    default String render(EntityMapping<?> mapping) {
        return ODataRenderer.render(FilterResolver.resolve(this, mapping));
    }

    /** Returns the access path that the service uses for this filter, for entities of this mapping. */
    default AccessPath accessPath(EntityMapping<?> mapping) {
        return AccessPath.of(FilterResolver.resolve(this, mapping));
    }

    /** Returns the names of all properties and keys in this filter, for entities of this mapping. */
    default Set<String> properties(EntityMapping<?> mapping) {
        return FilterResolver.names(FilterResolver.resolve(this, mapping));
    }
}
