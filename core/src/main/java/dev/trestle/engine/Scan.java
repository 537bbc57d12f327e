package dev.trestle.engine;

import dev.trestle.filter.Filter;
import dev.trestle.keyspace.KeyRange;
import java.time.Duration;
import java.util.List;

/**
 * What a page should hold: rows of the ranges, which are disjoint and ascending, that match the filter.
 *
 * @param columns the only properties the caller will look at, all when empty; an engine may return more
 */
public record Scan(List<KeyRange> ranges, Filter filter, List<String> columns, Limits limits) {
    public Scan {
        ranges = List.copyOf(ranges);
        columns = List.copyOf(columns);
        for (int i = 1; i < ranges.size(); i++) {
            if (java.util.Arrays.compareUnsigned(
                            ranges.get(i - 1).to(), ranges.get(i).from())
                    > 0) {
                throw new IllegalArgumentException("the ranges of a scan are disjoint and ascending");
            }
        }
    }

    /**
     * When a page ends before its ranges do. At least one row is examined whatever the limits, so that repeated pages
     * make progress.
     *
     * @param rows matching rows at most
     * @param bytes key and row bytes of matching rows, at most, unless the first row alone is larger
     * @param time how long to look
     */
    public record Limits(int rows, int bytes, Duration time) {
        public Limits {
            if (rows < 1) {
                throw new IllegalArgumentException("a page has room for a row, or it would never end");
            }
        }
    }
}
