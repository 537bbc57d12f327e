package dev.trestle.server.protocol;

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
                Part inner = frames.pop().finish();
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
        return frames.pop().finish().filter;
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
                top().add(new Part(comparison(), 0));
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

    /** A filter and how deep its connectives alternate. */
    private record Part(Filter filter, int depth) {}

    /** What has been read since an open parenthesis. */
    private static final class Frame {
        private final List<Filter> alternatives = new ArrayList<>();
        private List<Filter> conjuncts = new ArrayList<>();
        private boolean negateNext;
        private int depth;

        void negate() {
            negateNext = !negateNext;
        }

        void add(Part part) {
            if (negateNext) {
                negateNext = false;
                conjuncts.add(Filter.not(part.filter));
                depth = Math.max(depth, part.depth + 1);
            } else {
                conjuncts.add(part.filter);
                depth = Math.max(depth, part.depth);
            }
        }

        void or() {
            alternatives.add(Filter.and(conjuncts));
            conjuncts = new ArrayList<>();
        }

        Part finish() {
            // A parenthesis around a single part, or around more of the chain it stands in, adds no level.
            boolean alternates = !alternatives.isEmpty() || conjuncts.size() > 1;
            boolean flattens = (!alternatives.isEmpty() && alternatives.get(0) instanceof Filter.Or)
                    || (alternatives.isEmpty() && conjuncts.get(0) instanceof Filter.And);
            or();
            int levels = alternates && !flattens ? depth + 1 : depth;
            if (levels > Limits.FILTER_DEPTH_MAX) {
                throw new StorageException(StorageError.INVALID_INPUT);
            }
            return new Part(Filter.or(alternatives), levels);
        }
    }
}
