package dev.trestle.server.table;

import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code $filter} in linear time. Open parentheses are on an explicit stack of frames instead of the call
 * stack. A frame collects the parts of its "and" and "or" chains, which are flattened. The remaining nesting is
 * limited by {@link Limits#FILTER_DEPTH_MAX}.
 */
public final class FilterParser {
    private final FilterLexer lexer;
    private final Deque<Frame> frames = new ArrayDeque<>();

    private FilterParser(String text) {
        this.lexer = new FilterLexer(text);
    }

    /** Parses a filter; blank text matches everything. */
    public static Filter parse(String text) {
        if (text.isBlank()) {
            return Filter.ALL;
        }
        if (text.length() > Limits.FILTER_UNITS_MAX) {
            throw new StorageException(StorageError.INVALID_INPUT);
        }
        return new FilterParser(text).parse();
    }

    private Filter parse() {
        frames.push(new Frame());
        while (true) {
            operand();
            while (lexer.acceptClose()) {
                if (frames.size() == 1) {
                    throw lexer.syntaxError();
                }
                Chain inner = frames.pop().finish();
                top().add(inner);
            }
            if (lexer.atEnd()) {
                break;
            }
            String connective = lexer.word().orElseThrow(lexer::syntaxErrorAtNext);
            switch (connective) {
                case "and" -> {}
                case "or" -> top().or();
                default -> throw lexer.syntaxError();
            }
        }
        if (frames.size() > 1) {
            throw lexer.syntaxError();
        }
        return frames.pop().finish().filter();
    }

    private Frame top() {
        return frames.element();
    }

    /** Parses any number of "not" and "(", then a comparison. */
    private void operand() {
        while (true) {
            if (lexer.acceptOpen()) {
                frames.push(new Frame());
            } else if (lexer.acceptNot()) {
                top().negate();
            } else {
                top().add(Chain.of(comparison(), 0));
                return;
            }
        }
    }

    private Filter comparison() {
        FilterLexer.Operand left = lexer.operand();
        Optional<Operator> operator = lexer.acceptOperator();
        if (operator.isEmpty()) {
            if (left.literal() instanceof EdmValue.Bool bool) {
                return bool.value() ? Filter.ALL : Filter.NONE;
            }
            if (left.property() == null) {
                throw lexer.syntaxError();
            }
            return Filter.NONE; // As in the service, a property alone matches nothing.
        }
        FilterLexer.Operand right = lexer.operand();
        if (left.isNull() || right.isNull()) {
            throw nullComparison(operator.get());
        }
        @Nullable String leftName = left.property();
        @Nullable String rightName = right.property();
        @Nullable EdmValue leftValue = left.literal();
        @Nullable EdmValue rightValue = right.literal();
        if (leftName != null && rightValue != null) {
            return Filter.compare(leftName, operator.get(), rightValue);
        }
        if (leftValue != null && rightName != null) {
            return Filter.compare(rightName, operator.get().mirrored(), leftValue);
        }
        throw new StorageException(StorageError.NOT_IMPLEMENTED);
    }

    private static StorageException nullComparison(Operator operator) {
        String name = switch (operator) {
            case EQ, NE -> "";
            case LT -> "LessThan";
            case LE -> "LessThanOrEqual";
            case GT -> "GreaterThan";
            case GE -> "GreaterThanOrEqual";
        };
        if (name.isEmpty()) {
            return new StorageException(StorageError.INVALID_INPUT);
        }
        return new StorageException(
                StorageError.INVALID_INPUT,
                "The operator '" + name
                        + "' is not supported for the 'null' literal; only equality checks are supported.");
    }

    private enum Connective {
        AND,
        OR
    }

    /**
     * Parts joined by one connective, which is irrelevant for a single part. Joining two chains copies the shorter
     * one, so that deep nesting costs linear time on either side.
     *
     * @param depth the depth of the tree that {@link #filter} returns: 0 for a comparison, and each connective
     *     adds one
     */
    private record Chain(Connective connective, Deque<Filter> parts, int depth) {
        static final Chain NO_PARTS = new Chain(Connective.AND, new ArrayDeque<>(0), 0);

        static Chain of(Filter filter, int depth) {
            if (filter instanceof Filter.And and) {
                return new Chain(Connective.AND, new ArrayDeque<>(and.parts()), depth);
            } else if (filter instanceof Filter.Or or) {
                return new Chain(Connective.OR, new ArrayDeque<>(or.parts()), depth);
            }
            return single(filter, depth);
        }

        private static Chain single(Filter filter, int depth) {
            Deque<Filter> parts = new ArrayDeque<>(4);
            parts.add(filter);
            return new Chain(Connective.AND, parts, depth);
        }

        private boolean isSingle() {
            return parts.size() == 1;
        }

        /** Returns this chain followed by the other. Neither may be used afterwards. */
        Chain join(Connective by, Chain other) {
            if (parts.isEmpty()) {
                return other;
            }
            Chain left = as(by);
            Chain right = other.as(by);
            int partsDepth = Math.max(left.partsDepth(), right.partsDepth());
            if (right.parts.size() > left.parts.size()) {
                left.parts.descendingIterator().forEachRemaining(right.parts::addFirst);
                return new Chain(by, right.parts, partsDepth + 1);
            }
            left.parts.addAll(right.parts);
            return new Chain(by, left.parts, partsDepth + 1);
        }

        private int partsDepth() {
            return isSingle() ? depth : depth - 1;
        }

        /** Returns the parts as a chain of this connective, or as a single part of one. */
        private Chain as(Connective wanted) {
            return isSingle() || connective == wanted ? this : single(filter(), depth);
        }

        Chain negated() {
            Filter inner = filter();
            return of(Filter.not(inner), inner instanceof Filter.Not ? depth - 1 : depth + 1);
        }

        Filter filter() {
            if (depth > Limits.FILTER_DEPTH_MAX) {
                throw new StorageException(StorageError.INVALID_INPUT);
            }
            List<Filter> all = new ArrayList<>(parts);
            return connective == Connective.AND ? Filter.and(all) : Filter.or(all);
        }
    }

    /** The parts since an open parenthesis. */
    private static final class Frame {
        private Chain alternatives = Chain.NO_PARTS;
        private Chain conjuncts = Chain.NO_PARTS;
        private boolean negateNext;

        void negate() {
            negateNext = !negateNext;
        }

        void add(Chain part) {
            conjuncts = conjuncts.join(Connective.AND, negateNext ? part.negated() : part);
            negateNext = false;
        }

        void or() {
            alternatives = alternatives.join(Connective.OR, conjuncts);
            conjuncts = Chain.NO_PARTS;
        }

        Chain finish() {
            or();
            return alternatives;
        }
    }
}
