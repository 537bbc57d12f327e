package dev.trestle.cli;

import java.util.Collection;
import java.util.Comparator;

/** Finds the name that a mistyped one was most likely meant to be. */
final class Nearest {
    private Nearest() {}

    /**
     * A known name that the given one is the beginning of, else the one with the fewest edits; the alphabetically first
     * among equals.
     */
    static String to(String name, Collection<String> known) {
        return known.stream()
                .sorted()
                .min(Comparator.comparing((String candidate) -> !candidate.startsWith(name))
                        .thenComparing(candidate -> edits(name, candidate)))
                .orElseThrow();
    }

    /** Levenshtein's distance, two rows at a time. */
    private static int edits(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replace = previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replace, Math.min(previous[column], current[column - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
