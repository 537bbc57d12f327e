package dev.trestle.patterns.query;

import dev.trestle.patterns.entity.EntityMapping;
import java.util.List;
import java.util.Set;

/**
 * A filter as a value. Made by {@link Filters}; joined with {@link #and}, {@link #or} and {@link #not}. Values are never read
 * as syntax, whatever they contain.
 */
public sealed interface Filter {
    /** A comparison of what is stored, or of an attribute, with a value. */
    record Comparison(Operand operand, Operator operator, Object value) implements Filter {}

    /** That what is stored begins with a text. */
    record StartsWith(Operand operand, String prefix) implements Filter {}

    /** That all of these hold; that nothing is asked if there are none. */
    record All(List<Filter> filters) implements Filter {
        public All {
            filters = List.copyOf(filters);
        }
    }

    /** That one of these holds. */
    record Any(List<Filter> filters) implements Filter {
        public Any {
            filters = List.copyOf(filters);
            if (filters.isEmpty()) {
                throw new IllegalArgumentException("One of nothing can never hold");
            }
        }
    }

    /** That this does not hold. */
    record Not(Filter filter) implements Filter {}

    default Filter and(Filter other) {
        return new All(List.of(this, other));
    }

    default Filter or(Filter other) {
        return new Any(List.of(this, other));
    }

    /** The opposite. Mind that an entity without the property fulfils the opposite of any comparison with it. */
    default Filter not() {
        return new Not(this);
    }

    /** The filter as the service reads it, for entities of this mapping; empty if it asks for nothing. */
    default String render(EntityMapping<?> mapping) {
        return Renderer.render(Resolver.resolve(this, mapping));
    }

    /** Which way the service takes to answer this for entities of this mapping. */
    default AccessPath accessPath(EntityMapping<?> mapping) {
        return AccessPath.of(Resolver.resolve(this, mapping));
    }

    /** The names of all properties and keys that this asks of entities of this mapping. */
    default Set<String> properties(EntityMapping<?> mapping) {
        return Resolver.names(Resolver.resolve(this, mapping));
    }
}
