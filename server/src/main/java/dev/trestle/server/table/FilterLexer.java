package dev.trestle.server.table;

import dev.trestle.filter.Operator;
import dev.trestle.model.EdmValue;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import dev.trestle.server.table.json.GuidText;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A lexer for filters: words, literals and punctuation. */
final class FilterLexer {
    private final String text;
    private int at;

    FilterLexer(String text) {
        this.text = text;
    }

    /** One side of a comparison: a property name, a literal, or the word null. */
    record Operand(@Nullable String property, @Nullable EdmValue literal) {
        boolean isNull() {
            return property == null && literal == null;
        }
    }

    boolean atEnd() {
        skipSpaces();
        return at == text.length();
    }

    boolean acceptOpen() {
        return accept('(');
    }

    boolean acceptClose() {
        return accept(')');
    }

    private boolean accept(char c) {
        skipSpaces();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    boolean acceptNot() {
        skipSpaces();
        if (wordEnd(at) == at + 3 && text.startsWith("not", at)) {
            at += 3;
            return true;
        }
        return false;
    }

    /** Consumes and returns the next word; empty if another token follows. */
    Optional<String> word() {
        skipSpaces();
        int end = wordEnd(at);
        if (end == at) {
            return Optional.empty();
        }
        String word = text.substring(at, end);
        at = end;
        return Optional.of(word);
    }

    Optional<Operator> acceptOperator() {
        int before = at;
        Optional<String> word = word();
        Optional<Operator> operator = word.flatMap(FilterLexer::operator);
        if (operator.isPresent()) {
            return operator;
        }
        at = before;
        return Optional.empty();
    }

    private static Optional<Operator> operator(String word) {
        return switch (word) {
            case "eq" -> Optional.of(Operator.EQ);
            case "ne" -> Optional.of(Operator.NE);
            case "gt" -> Optional.of(Operator.GT);
            case "ge" -> Optional.of(Operator.GE);
            case "lt" -> Optional.of(Operator.LT);
            case "le" -> Optional.of(Operator.LE);
            default -> Optional.empty();
        };
    }

    Operand operand() {
        skipSpaces();
        if (at == text.length()) {
            throw syntaxError();
        }
        char c = text.charAt(at);
        if (c == '\'') {
            return literal(new EdmValue.Text(quoted()));
        }
        if (c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9')) {
            return literal(number());
        }
        String word = word().orElseThrow(this::syntaxErrorAtNext);
        if (at < text.length() && text.charAt(at) == '\'') {
            return literal(typed(word));
        }
        if (at < text.length() && text.charAt(at) == '(') {
            throw new StorageException(StorageError.NOT_IMPLEMENTED); // The service has no functions.
        }
        return switch (word) {
            case "true" -> literal(new EdmValue.Bool(true));
            case "false" -> literal(new EdmValue.Bool(false));
            case "null" -> new Operand(null, null);
            case "NaN" -> literal(new EdmValue.Real(Double.NaN));
            case "INF", "Infinity" -> literal(new EdmValue.Real(Double.POSITIVE_INFINITY));
            default -> new Operand(word, null);
        };
    }

    private static Operand literal(EdmValue value) {
        return new Operand(null, value);
    }

    /** Parses a quoted string, in which quotes are doubled. */
    private String quoted() {
        StringBuilder value = new StringBuilder();
        int p = at + 1;
        while (p < text.length()) {
            char c = text.charAt(p);
            if (c == '\'') {
                if (p + 1 < text.length() && text.charAt(p + 1) == '\'') {
                    p++;
                } else {
                    at = p + 1;
                    return value.toString();
                }
            }
            value.append(c);
            p++;
        }
        at = text.length();
        throw syntaxError();
    }

    private EdmValue typed(String prefix) {
        String content = quoted();
        switch (prefix) {
            case "datetime" -> {
                OptionalLong ticks = Ticks.parse(content);
                if (ticks.isPresent()) {
                    return new EdmValue.DateTime(ticks.getAsLong());
                }
            }
            case "guid" -> {
                Optional<EdmValue.Guid> guid = GuidText.parse(content);
                if (guid.isPresent()) {
                    return guid.get();
                }
            }
            case "X", "x", "binary" -> {
                try {
                    return new EdmValue.Binary(HexFormat.of().parseHex(content));
                } catch (IllegalArgumentException e) {
                    throw syntaxError();
                }
            }
            default -> throw syntaxError();
        }
        throw syntaxError();
    }

    private EdmValue number() {
        int start = at;
        if (text.startsWith("-I", at)) {
            at++;
            return switch (word().orElse("")) {
                case "INF", "Infinity" -> new EdmValue.Real(Double.NEGATIVE_INFINITY);
                default -> throw syntaxError();
            };
        }
        int p = at;
        if (text.charAt(p) == '-' || text.charAt(p) == '+') {
            p++;
        }
        boolean whole = true;
        while (p < text.length()) {
            char c = text.charAt(p);
            if (c == '.' || c == 'e' || c == 'E') {
                whole = false;
                if (c != '.' && p + 1 < text.length() && (text.charAt(p + 1) == '-' || text.charAt(p + 1) == '+')) {
                    p++;
                }
            } else if (c < '0' || c > '9') {
                break;
            }
            p++;
        }
        String digits = text.substring(start, p);
        char suffix = p < text.length() ? Character.toLowerCase(text.charAt(p)) : ' ';
        boolean suffixed = suffix == 'l' || suffix == 'd' || suffix == 'f' || suffix == 'm';
        at = suffixed ? p + 1 : p;
        if (wordEnd(at) != at) {
            at = wordEnd(at);
            throw syntaxError();
        }
        try {
            if (suffix == 'l') {
                return new EdmValue.Int64(Long.parseLong(digits));
            }
            return whole && !suffixed ? integer(digits) : real(digits);
        } catch (NumberFormatException e) {
            throw syntaxError();
        }
    }

    private static EdmValue integer(String digits) {
        try {
            long value = Long.parseLong(digits);
            return value == (int) value ? new EdmValue.Int32((int) value) : new EdmValue.Int64(value);
        } catch (NumberFormatException e) {
            return real(digits);
        }
    }

    private static EdmValue real(String digits) {
        return new EdmValue.Real(Double.parseDouble(digits));
    }

    private int wordEnd(int from) {
        int p = from;
        while (p < text.length() && isWordPart(text.charAt(p))) {
            p++;
        }
        return p;
    }

    private static boolean isWordPart(char c) {
        return c == '_' || Character.isLetterOrDigit(c) || (c > 0x7F && Character.isUnicodeIdentifierPart(c));
    }

    private void skipSpaces() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    /** Returns the syntax error at the token that was just read. */
    StorageException syntaxError() {
        return new StorageException(
                StorageError.INVALID_INPUT, "Syntax error at position " + at + " in '" + text + "'.");
    }

    /** Returns the syntax error at the next character. */
    StorageException syntaxErrorAtNext() {
        if (at < text.length()) {
            at++;
        }
        return syntaxError();
    }
}
