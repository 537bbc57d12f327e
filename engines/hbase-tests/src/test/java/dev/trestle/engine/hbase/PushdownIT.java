package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.Commit;
import dev.trestle.engine.Precondition;
import dev.trestle.engine.RowPage;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.model.EdmValue;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Network traffic of queries of a thousand entities with ten properties: only matching rows are transferred, and
 * only the requested columns. The bytes are counted at the sockets, and printed.
 */
class PushdownIT {
    private static final long COLLECTION = 0x0101_0101_0101_0107L;
    private static final String PARTITION = "pushed down";
    private static final int ROWS = 1000;
    private static final int AGES = 100;
    private static final int ROWS_A_COMMIT = 100;

    @TempDir
    private static Path settings;

    private static HBaseEngine engine;

    @BeforeAll
    static void open() throws Exception {
        CountingChannel.configure(settings);
        engine = HBaseEngine.open(TestCluster.config().withConfiguration(settings), InstantSource.system());
        for (int from = 0; from < ROWS; from += ROWS_A_COMMIT) {
            List<Write> writes = new ArrayList<>();
            for (int row = from; row < from + ROWS_A_COMMIT; row++) {
                Key key = Key.of(COLLECTION, PARTITION, String.format("row%010d", row));
                writes.add(new Write.Put(key, customer(row), Precondition.NONE));
            }
            await(engine.commit(new Commit(COLLECTION, PARTITION, writes)));
        }
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    /** About 600 bytes as JSON. */
    private static byte[] customer(int row) {
        return new RowBuilder()
                .put("Name", new EdmValue.Text("Customer " + row))
                .put("Email", new EdmValue.Text("customer" + row + "@example.com"))
                .put("Age", new EdmValue.Int32(row % AGES))
                .put("Balance", new EdmValue.Real(row + 0.25))
                .put("Active", new EdmValue.Bool(row % 2 == 0))
                .put("Created", new EdmValue.DateTime(639_000_000_000_000_000L + row))
                .put("Visits", new EdmValue.Int64(row * 7L))
                .put("Id", new EdmValue.Guid(1, row))
                .put("Address", new EdmValue.Text("12 Long Street, Some Town, Some County, Some Country, 12345"))
                .put("Notes", new EdmValue.Text("The quick brown fox jumps over the lazy dog, until it is tired."))
                .build();
    }

    private record Brought(int rows, long bytes) {}

    @SuppressWarnings("SystemOut") // The figures are for docs/hbase.md.
    private static Brought scan(String what, Filter filter, String... columns) throws Exception {
        Scan.Limits limits = new Scan.Limits(ROWS, 4 << 20, Duration.ofSeconds(5));
        Scan scan = new Scan(List.of(Key.collectionRange(COLLECTION)), filter, List.of(columns), limits);
        // The first request may also look up the location of the region.
        await(engine.scan(scan));
        long before = CountingChannel.received();
        RowPage page = await(engine.scan(scan));
        Brought brought = new Brought(page.size(), CountingChannel.received() - before);
        System.out.printf("%s: %,d rows, %,d bytes from the cluster%n", what, brought.rows, brought.bytes);
        return brought;
    }

    @Test
    void rows_that_do_not_match_stay_in_the_cluster() throws Exception {
        Brought all = scan("no filter", Filter.ALL);
        Brought matching = scan("a filter on a property", Filter.compare("Age", Operator.EQ, new EdmValue.Int32(7)));
        assertThat(all.rows).isEqualTo(ROWS);
        assertThat(matching.rows).isEqualTo(ROWS / AGES);
        assertThat(matching.bytes).isBetween(1L, all.bytes / 50);
    }

    @Test
    void properties_that_are_not_asked_for_stay_in_the_cluster() throws Exception {
        Brought all = scan("all properties", Filter.ALL);
        Brought selected = scan("one property of ten", Filter.ALL, "Age");
        assertThat(selected.rows).isEqualTo(ROWS);
        assertThat(selected.bytes).isBetween(1L, all.bytes / 4);
    }

    @Test
    void a_filter_and_a_selection_go_together() throws Exception {
        Brought all = scan("neither", Filter.ALL);
        Brought both = scan("filter and selection", Filter.compare("Age", Operator.EQ, new EdmValue.Int32(7)), "Name");
        assertThat(both.rows).isEqualTo(ROWS / AGES);
        assertThat(both.bytes).isBetween(1L, all.bytes / 100);
    }
}
