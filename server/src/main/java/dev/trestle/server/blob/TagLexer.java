package dev.trestle.server.blob;

import dev.trestle.blob.TagExpression.Comparison;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A lexer for tag queries. */
final class TagLexer {
    /** Longest first, because some are prefixes of others. */
    private static final List<Comparison> COMPARISONS = Arrays.stream(Comparison.values())
            .sorted(Comparator.comparing(
                    (Comparison comparison) -> -comparison.sign().length()))
            .toList();

    private final String text;
    private int at;

    TagLexer(String text) {
        this.text = text;
    }

    enum Kind {
        WORD,
        /** In double quotes. */
        KEY,
        /** In single quotes. */
        VALUE,
        /** Begins with an at sign. */
        PARAMETER,
        COMPARISON,
        OPEN,
        CLOSE,
        /** An invalid token. */
        OTHER,
        END
    }

    /**
     * A token.
     *
     * @param text the text without quotes
     * @param position the position of its first character, starting at 1
     */
    record Token(Kind kind, String text, int position) {
        boolean isWord(String word) {
            return kind == Kind.WORD && text.equalsIgnoreCase(word);
        }
    }

    Token next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return new Token(Kind.END, "", at + 1);
        }
        char c = text.charAt(at);
        if (c == '"' || c == '\'') {
            return quoted(c);
        } else if (c == '(' || c == ')') {
            return token(c == '(' ? Kind.OPEN : Kind.CLOSE, 1);
        } else if (c == '@') {
            return token(Kind.PARAMETER, 1 + word(at + 1));
        } else if (BlobTagSet.isWordCharacter(c)) {
            return token(Kind.WORD, word(at));
        }
        Optional<Comparison> comparison = COMPARISONS.stream()
                .filter(sign -> text.startsWith(sign.sign(), at))
                .findFirst();
        return comparison.isPresent()
                ? token(Kind.COMPARISON, comparison.get().sign().length())
                : token(Kind.OTHER, 1);
    }

    private int word(int from) {
        int end = from;
        while (end < text.length() && BlobTagSet.isWordCharacter(text.charAt(end))) {
            end++;
        }
        return end - from;
    }

    private Token token(Kind kind, int length) {
        Token token = new Token(kind, text.substring(at, at + length), at + 1);
        at += length;
        return token;
    }

    private Token quoted(char quote) {
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            return token(Kind.OTHER, text.length() - at);
        }
        Token token = new Token(quote == '"' ? Kind.KEY : Kind.VALUE, text.substring(at + 1, end), at + 1);
        at = end + 1;
        return token;
    }
}
