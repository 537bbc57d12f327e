package dev.trestle.engine;

import dev.trestle.filter.Filter;
import dev.trestle.keyspace.KeyRange;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * A request for one page of rows that match a filter.
 *
 * @param ranges disjoint and ascending
 * @param columns the properties that the caller needs, all if empty; an engine may return more
 */
public record Scan(List<KeyRange> ranges, Filter filter, List<String> columns, Limits limits) {
    public Scan {
        ranges = List.copyOf(ranges);
        columns = List.copyOf(columns);
        for (int i = 1; i < ranges.size(); i++) {
            if (Arrays.compareUnsigned(ranges.get(i - 1).to(), ranges.get(i).from()) > 0) {
                throw new IllegalArgumentException("The ranges of a scan must be disjoint and ascending.");
            }
        }
    }

    /**
     * Limits of a page. At least one row is examined whatever the limits, so that repeated scans make progress.
     *
     * @param rows maximum number of matching rows
     * @param bytes maximum size of keys and rows of matching rows, unless the first row alone is larger
     * @param time maximum duration
     */
    public record Limits(int rows, int bytes, Duration time) {
        public Limits {
            if (rows < 1) {
                throw new IllegalArgumentException("A page must have a limit of at least one row, not " + rows + ".");
            }
        }
    }
}
