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
 * Reads the text of {@code $filter}. Open parentheses are kept on a list of frames rather than on the call stack, and a
 * frame collects the parts of its "and" and "or" chains as they come, so that neither deep nesting nor long chains cost
 * more than their length. What remains nested after chains are flattened is limited by {@link Limits#FILTER_DEPTH_MAX}.
 */
public final class FilterParser {
    private final FilterLexer lexer;
    private final Deque<Frame> frames = new ArrayDeque<>();

    private FilterParser(String text) {
        this.lexer = new FilterLexer(text);
    }

    /** Reads a filter; blank text asks for everything. */
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

    /** Any number of "not" and "(", then a comparison. */
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
            return Filter.NONE; // A property on its own matches nothing, whatever its value.
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
     * Parts joined by one connective; it does not matter which while there is only one part. Chains join at the cost of
     * the shorter, so that neither left-deep nor right-deep nesting is copied again at every level.
     *
     * @param depth of the tree that {@link #filter} makes: comparisons have none, a connective adds one to its parts
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

        /** This chain with the other behind it. Neither may be used afterwards. */
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

        /** The same parts if they can be joined this way, otherwise all of them as one. */
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

    /** What has been read since an open parenthesis. */
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
