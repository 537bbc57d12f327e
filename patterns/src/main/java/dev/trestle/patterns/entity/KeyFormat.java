package dev.trestle.patterns.entity;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The format of a component in a key.
 *
 * @param width the fixed length of the text, or 0 if it varies
 * @param order how the order of the texts relates to that of the values
 * @param clock whether the value is a time, so that new keys follow the clock
 * @param parser the inverse of the formatter, or null if there is none
 */
record KeyFormat(
        int width,
        Order order,
        boolean clock,
        Function<Object, String> formatter,
        @Nullable Function<String, Object> parser) {

    /** The order of formatted texts relative to that of their values. */
    enum Order {
        SAME,
        REVERSED,
        NONE
    }

    boolean invertible() {
        return parser != null;
    }

    String format(Object value) {
        return formatter.apply(value);
    }

    @Nullable
    Object parse(String text) {
        return parser == null ? null : parser.apply(text);
    }
}
