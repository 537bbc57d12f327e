package dev.trestle.benchmarks.jmh;

import dev.trestle.filter.Filter;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.RowReader;
import dev.trestle.server.table.FilterParser;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A filter asked of encoded rows, of which few match. */
public class FilterBenchmark extends HotPiece {
    private static final int ROWS = 1000;

    @Param({"Age eq 7", "Name ge 'Customer 9' and Visits gt 100L", "RowKey lt 'row0000000010'"})
    private String filter = "";

    private final byte[][] keys = new byte[ROWS][];
    private final byte[][] rows = new byte[ROWS][];
    private final RowReader cursor = new RowReader();
    private RowMatcher matcher = RowMatcher.of(Filter.ALL);

    @Setup
    public void encode() {
        matcher = RowMatcher.of(FilterParser.parse(filter));
        for (int i = 0; i < ROWS; i++) {
            keys[i] = SampleRow.key(i).bytes();
            rows[i] = SampleRow.encoded(i);
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int matchRow() {
        int matches = 0;
        for (int i = 0; i < ROWS; i++) {
            if (matcher.matches(keys[i], 0, keys[i].length, rows[i], 0, rows[i].length, cursor)) {
                matches++;
            }
        }
        return matches;
    }
}
