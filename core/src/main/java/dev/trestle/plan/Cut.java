package dev.trestle.plan;

import org.jspecify.annotations.Nullable;

/**
 * A position between strings in their order: immediately before or after one, or after all. Half-open intervals of
 * cuts express every combination of open and closed bounds.
 *
 * @param value null for the position after all strings
 */
record Cut(@Nullable String value, boolean after) implements Comparable<Cut> {
    static final Cut FIRST = new Cut("", false);
    static final Cut LAST = new Cut(null, true);

    static Cut before(String value) {
        return new Cut(value, false);
    }

    static Cut after(String value) {
        return new Cut(value, true);
    }

    @Override
    public int compareTo(Cut other) {
        if (value == null || other.value == null) {
            return Boolean.compare(value == null, other.value == null);
        }
        int order = value.compareTo(other.value);
        return order != 0 ? order : Boolean.compare(after, other.after);
    }

    static Cut min(Cut a, Cut b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    static Cut max(Cut a, Cut b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
