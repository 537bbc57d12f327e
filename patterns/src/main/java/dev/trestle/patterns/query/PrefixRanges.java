package dev.trestle.patterns.query;

import java.util.List;
import java.util.Optional;

/**
 * Converts prefixes to ranges of strings. The service sorts strings by UTF-16 code units, so supplementary characters sort before
 * U+E000. The end of a range has to be a valid string, so it never ends in half of a surrogate pair.
 */
final class PrefixRanges {
    private static final int LAST_BEFORE_SURROGATES = 0xD7FF;
    private static final int FIRST_AFTER_SURROGATES = 0xE000;
    private static final int LAST_CODE_UNIT = 0xFFFF;

    private PrefixRanges() {}

    static Filter range(Operand operand, String prefix) {
        Filter from = new Filter.Comparison(operand, Operator.GE, prefix);
        return next(prefix)
                .<Filter>map(end -> new Filter.All(List.of(from, new Filter.Comparison(operand, Operator.LT, end))))
                .orElse(from);
    }

    /** Returns the first string after all strings with a prefix. */
    static String after(String prefix) {
        return next(prefix)
                .orElseThrow(() -> new IllegalArgumentException(
                        "No string sorts after all strings with the prefix '" + prefix + "'"));
    }

    private static Optional<String> next(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last != LAST_CODE_UNIT) {
                return Optional.of(prefix.substring(0, end) + Character.toString(successor(last)));
            }
        }
        return Optional.empty();
    }

    /** Returns the next code point in the order of UTF-16 code units. */
    private static int successor(int character) {
        if (character == LAST_BEFORE_SURROGATES) {
            return Character.MIN_SUPPLEMENTARY_CODE_POINT;
        }
        return character == Character.MAX_CODE_POINT ? FIRST_AFTER_SURROGATES : character + 1;
    }
}
