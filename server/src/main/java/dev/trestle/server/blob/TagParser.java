package dev.trestle.server.blob;

import dev.trestle.blob.TagExpression;
import dev.trestle.blob.TagExpression.Comparison;
import dev.trestle.blob.TagQuery;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.server.blob.TagLexer.Kind;
import dev.trestle.server.blob.TagLexer.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Parses conditions on tags: the query of Find Blobs by Tags, which is a chain of comparisons, and
 * {@code x-ms-if-tags}, which also has "or", differences and parentheses. "And" binds more tightly than "or".
 */
public final class TagParser {
    private static final int DEPTH_MAX = 32;
    private static final String CONTAINER = "@container";

    /** Keys that must be quoted. */
    private static final Set<String> RESERVED = Set.of("AND", "OR", "NOT", "YEAR", "MONTH", "DAY");

    private final TagLexer lexer;
    private final Dialect dialect;
    private Token token;
    private int depth;

    private TagParser(String text, Dialect dialect) {
        this.lexer = new TagLexer(text);
        this.dialect = dialect;
        this.token = lexer.next();
    }

    /** The differences between a query and a condition. */
    private interface Dialect {
        boolean isQuery();

        StorageException refusal(int position, String what);
    }

    /**
     * Parses the parameter {@code where} of Find Blobs by Tags.
     *
     * @param inContainer whether the URL names a container, so that the query must not
     */
    public static TagQuery query(String where, boolean inContainer) {
        TagParser parser = new TagParser(where, new OfQuery(where));
        List<TagExpression.Test> tests = new ArrayList<>();
        Optional<String> container = Optional.empty();
        do {
            boolean ofContainer = parser.token.kind() == Kind.PARAMETER;
            TagExpression.Test test = parser.test();
            if (!ofContainer) {
                tests.add(test);
            } else if (inContainer) {
                throw invalidQuery(where, "Error parsing query: Cannot have container in both uri and query");
            } else if (container.isPresent()) {
                throw notOneRange(where);
            } else {
                container = Optional.of(test.value());
            }
        } while (parser.takes("AND"));
        parser.expect(Kind.END);
        checkKeys(where, tests);
        return new TagQuery(container, tests);
    }

    private static void checkKeys(String where, List<TagExpression.Test> tests) {
        List<String> keys =
                tests.stream().map(TagExpression.Test::key).distinct().toList();
        if (keys.isEmpty()) {
            throw invalidQuery(where, "Error parsing query: there must be at least one tag in a query");
        }
        if (keys.size() > Limits.TAGS_MAX) {
            throw invalidQuery(
                    where, "Error parsing query: there can be at most " + Limits.TAGS_MAX + " unique tags in a query");
        }
        for (String key : keys) {
            List<Comparison> comparisons = tests.stream()
                    .filter(test -> test.key().equals(key))
                    .map(TagExpression.Test::comparison)
                    .toList();
            long lower = comparisons.stream().filter(TagParser::isLower).count();
            long upper = comparisons.stream().filter(TagParser::isUpper).count();
            boolean equal = comparisons.contains(Comparison.EQUAL);
            if (lower > 1 || upper > 1 || (equal && comparisons.size() > 1)) {
                throw notOneRange(where);
            }
        }
    }

    private static boolean isLower(Comparison comparison) {
        return comparison == Comparison.GREATER || comparison == Comparison.GREATER_OR_EQUAL;
    }

    private static boolean isUpper(Comparison comparison) {
        return comparison == Comparison.LESS || comparison == Comparison.LESS_OR_EQUAL;
    }

    private static StorageException notOneRange(String where) {
        return invalidQuery(
                where,
                "Error parsing query: can't have multiple conditions for a single tag unless they define a range");
    }

    private static StorageException invalidQuery(String where, String message) {
        return new StorageException(StorageError.INVALID_QUERY_PARAMETER_VALUE, message)
                .with("QueryParameterName", "where")
                .with("QueryParameterValue", where);
    }

    private record OfQuery(String where) implements Dialect {
        @Override
        public boolean isQuery() {
            return true;
        }

        @Override
        public StorageException refusal(int position, String what) {
            return invalidQuery(where, "Error parsing query at or near character position " + position + ": " + what);
        }
    }

    private record OfHeader(String name, String text) implements Dialect {
        @Override
        public boolean isQuery() {
            return false;
        }

        @Override
        public StorageException refusal(int position, String what) {
            return new StorageException(StorageError.INVALID_HEADER_VALUE)
                    .with("HeaderName", name)
                    .with("HeaderValue", text);
        }
    }

    /** Parses a header with a condition on the tags of a blob. */
    public static TagExpression condition(String header, String text) {
        TagParser parser = new TagParser(text, new OfHeader(header, text));
        TagExpression condition = parser.any();
        parser.expect(Kind.END);
        return condition;
    }

    private TagExpression any() {
        List<TagExpression> parts = new ArrayList<>();
        do {
            parts.add(all());
        } while (takes("OR"));
        return parts.size() == 1 ? parts.get(0) : new TagExpression.Any(parts);
    }

    private TagExpression all() {
        List<TagExpression> parts = new ArrayList<>();
        do {
            parts.add(token.kind() == Kind.OPEN ? group() : test());
        } while (takes("AND"));
        return parts.size() == 1 ? parts.get(0) : new TagExpression.All(parts);
    }

    private TagExpression group() {
        Token open = expect(Kind.OPEN);
        if (++depth > DEPTH_MAX) {
            throw unexpected(open);
        }
        TagExpression inner = any();
        depth--;
        expect(Kind.CLOSE);
        return inner;
    }

    private TagExpression.Test test() {
        boolean ofContainer = token.kind() == Kind.PARAMETER;
        String key = ofContainer ? parameter() : key();
        Token sign = expect(Kind.COMPARISON);
        Comparison comparison = Arrays.stream(Comparison.values())
                .filter(each -> each.sign().equals(sign.text()))
                .findFirst()
                .orElseThrow(() -> unexpected(sign));
        boolean allowed =
                ofContainer ? comparison == Comparison.EQUAL : !dialect.isQuery() || comparison != Comparison.NOT_EQUAL;
        if (!allowed) {
            throw unexpected(sign);
        }
        Token value = token;
        if (value.kind() != Kind.VALUE) {
            throw dialect.refusal(value.position(), "expecting tag value");
        }
        if (!ofContainer) {
            checkText(value, value.text(), Limits.TAG_VALUE_UNITS_MAX, "tag value must be between 0 and 256");
        }
        advance();
        return new TagExpression.Test(key, comparison, value.text());
    }

    private String parameter() {
        Token name = token;
        if (!dialect.isQuery() || !name.text().equals(CONTAINER)) {
            throw dialect.refusal(name.position(), "unsupported parameter '" + name.text() + "'");
        }
        advance();
        return CONTAINER;
    }

    private String key() {
        Token key = token;
        boolean word = key.kind() == Kind.WORD && !RESERVED.contains(key.text().toUpperCase(Locale.ROOT));
        if (!word && key.kind() != Kind.KEY) {
            throw unexpected(key);
        }
        if (key.text().isEmpty()) {
            throw dialect.refusal(key.position(), "tag must be between 1 and 128 characters in length");
        }
        checkText(key, key.text(), Limits.TAG_KEY_UNITS_MAX, "tag must be between 1 and 128");
        advance();
        return key.text();
    }

    private void checkText(Token at, String text, int unitsMax, String range) {
        if (text.length() > unitsMax) {
            throw dialect.refusal(at.position(), range + " characters in length");
        }
        for (int i = 0; i < text.length(); i++) {
            if (!BlobTagSet.isTagCharacter(text.charAt(i))) {
                throw dialect.refusal(at.position(), "'" + text.charAt(i) + "' not permitted in tag name or value");
            }
        }
    }

    private boolean takes(String word) {
        if (!token.isWord(word)) {
            return false;
        }
        advance();
        return true;
    }

    private Token expect(Kind kind) {
        Token found = token;
        if (found.kind() != kind) {
            throw found.kind() == Kind.END
                    ? dialect.refusal(found.position(), "expected an operator")
                    : unexpected(found);
        }
        advance();
        return found;
    }

    private StorageException unexpected(Token found) {
        return dialect.refusal(found.position(), "unexpected '" + found.text() + "'");
    }

    private void advance() {
        token = lexer.next();
    }
}
