package dev.trestle.patterns.entity;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How one component is written into a key.
 *
 * @param width the length of what is written, or 0 where it varies
 * @param order how the text sorts beside the values
 * @param clock whether what is written follows the clock
 * @param parser the way back, or null where there is none
 */
record KeyFormat(
        int width,
        Order order,
        boolean clock,
        Function<Object, String> formatter,
        @Nullable Function<String, Object> parser) {

    /** How keys sort beside the values they are made of. */
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
