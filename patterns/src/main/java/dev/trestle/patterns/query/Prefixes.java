package dev.trestle.patterns.query;

import java.util.List;
import java.util.Optional;

/**
 * Texts that begin alike, as a range. The service sorts text by its UTF-16 units, in which characters beyond the first 65536
 * come before U+E000; the end of a range must be a text that can be sent, so it never ends in half of a character.
 */
final class Prefixes {
    private static final int LAST_BEFORE_SURROGATES = 0xD7FF;
    private static final int FIRST_AFTER_SURROGATES = 0xE000;
    private static final int LAST_OF_ONE_UNIT = 0xFFFF;

    private Prefixes() {}

    static Filter range(Operand operand, String prefix) {
        Filter from = new Filter.Comparison(operand, Operator.GE, prefix);
        return next(prefix)
                .<Filter>map(end -> new Filter.All(List.of(from, new Filter.Comparison(operand, Operator.LT, end))))
                .orElse(from);
    }

    /** The first text after all that begin with a prefix. */
    static String after(String prefix) {
        return next(prefix).orElseThrow(() -> new IllegalArgumentException("Nothing comes after '" + prefix + "'"));
    }

    private static Optional<String> next(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last != LAST_OF_ONE_UNIT) {
                return Optional.of(prefix.substring(0, end) + Character.toString(following(last)));
            }
        }
        return Optional.empty();
    }

    private static int following(int character) {
        if (character == LAST_BEFORE_SURROGATES) {
            return Character.MIN_SUPPLEMENTARY_CODE_POINT;
        }
        return character == Character.MAX_CODE_POINT ? FIRST_AFTER_SURROGATES : character + 1;
    }
}
