package dev.trestle.blob;

import java.util.List;
import java.util.Map;

/** A condition on the index tags of a blob, as in {@code x-ms-if-tags}. */
public sealed interface TagExpression {
    boolean matches(Map<String, String> tags);

    /** A comparison of values by ordinal order. */
    enum Comparison {
        EQUAL("="),
        NOT_EQUAL("<>"),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        public String sign() {
            return sign;
        }

        boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }
    }

    /** Compares a tag with a value. A missing tag is not equal to any value. */
    record Test(String key, Comparison comparison, String value) implements TagExpression {
        @Override
        public boolean matches(Map<String, String> tags) {
            String found = tags.get(key);
            return found == null ? comparison == Comparison.NOT_EQUAL : comparison.holds(found.compareTo(value));
        }
    }

    /** True if all parts are true. */
    record All(List<TagExpression> parts) implements TagExpression {
        public All {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean matches(Map<String, String> tags) {
            return parts.stream().allMatch(part -> part.matches(tags));
        }
    }

    /** True if at least one part is true. */
    record Any(List<TagExpression> parts) implements TagExpression {
        public Any {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean matches(Map<String, String> tags) {
            return parts.stream().anyMatch(part -> part.matches(tags));
        }
    }
}
