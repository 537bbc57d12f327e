package dev.trestle.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.filter.Filter;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.StorageException;
import dev.trestle.plan.Planner;
import java.nio.charset.StandardCharsets;

/** Any text of a filter is refused, or read, planned and asked of a row. */
class FilterFuzzTest {
    private static final Key KEY = Key.of(-1, "p", "r");
    private static final byte[] ROW = new RowBuilder().build();

    @FuzzTest
    void any_text_is_a_filter_or_refused(byte[] input) {
        Filter filter;
        try {
            filter = FilterParser.parse(new String(input, StandardCharsets.UTF_8));
        } catch (StorageException e) {
            assertThat(e.error().status()).isIn(400, 501);
            return;
        }
        assertThat(Planner.plan(filter).toString()).isNotEmpty();
        RowMatcher.of(filter).matches(KEY, ROW);
    }
}
