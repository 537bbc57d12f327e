package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.RowPage;
import dev.trestle.engine.RowPage.StopReason;
import dev.trestle.engine.Scan;
import dev.trestle.engine.Write;
import dev.trestle.filter.Filter;
import dev.trestle.filter.Operator;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Pages of scans: their rows, their order and their limits. */
public abstract class ScanContract extends EngineContract {
    private static final Filter EVEN = Filter.compare("Even", Operator.EQ, new EdmValue.Int32(1));

    protected ScanContract(Opener opener) {
        super(opener);
    }

    @Test
    void a_scan_of_nothing_is_an_empty_page_at_the_end() {
        RowPage page = scan(wholeCollection());
        assertThat(page.size()).isZero();
        assertThat(page.resume()).isEmpty();
        assertThat(page.examined()).isZero();
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
    }

    @Test
    void a_scan_without_ranges_is_an_empty_page_at_the_end() {
        fill(3);
        RowPage page = await(engine.scan(new Scan(List.of(), Filter.ALL, List.of(), NO_LIMITS)));
        assertThat(page.size()).isZero();
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
    }

    @Test
    void rows_come_in_the_unsigned_order_of_their_keys() {
        List<Key> written = new ArrayList<>();
        for (String partitionKey : List.of("", "a", "ab", "b", "\u00E9", "\uD83D\uDE00", "\uFFFF", "a\u0000b")) {
            for (String rowKey : List.of("\uFFFF", "", "z", "a", "\uE000", "aa")) {
                Key key = key(partitionKey, rowKey);
                written.add(key);
                committed(put(key, row()));
            }
        }
        assertThat(keys(scan(wholeCollection())))
                .containsExactlyElementsOf(written.stream().sorted().toList());
    }

    @Test
    void rows_come_whole_with_their_versions() {
        byte[] row = row("A", 1, "B", "text");
        long version = committed(put(key("p", "r"), row.clone()));
        Rows.stamp(row, version);
        RowPage page = scan(wholeCollection());
        assertThat(page.key(0)).isEqualTo(key("p", "r"));
        assertThat(page.row(0)).isEqualTo(row);
    }

    @Test
    void a_range_holds_its_start_and_not_its_end() {
        fill(10);
        RowPage page = scan(new KeyRange(rowKey(3).bytes(), rowKey(6).bytes()));
        assertThat(keys(page)).containsExactly(rowKey(3), rowKey(4), rowKey(5));
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
    }

    @Test
    void a_range_of_one_row_holds_that_row() {
        fill(3);
        committed(put(key("p", "r01!"), row()));
        RowPage page = scan(new KeyRange(rowKey(1).bytes(), Key.afterRow(COLLECTION, "p", "r01")));
        assertThat(keys(page)).containsExactly(rowKey(1));
    }

    @Test
    void a_range_whose_end_is_not_above_its_start_is_empty() {
        fill(3);
        assertThat(scan(new KeyRange(rowKey(1).bytes(), rowKey(1).bytes())).size())
                .isZero();
        assertThat(scan(new KeyRange(rowKey(2).bytes(), rowKey(1).bytes())).size())
                .isZero();
    }

    @Test
    void a_partition_is_a_range() {
        committed(put(key("a", "\uFFFF"), row()));
        committed(put(key("b", ""), row()));
        committed(put(key("b", "\uFFFF"), row()));
        committed(put(key("b\u0000", ""), row()));
        committed(put(key("ba", ""), row()));
        KeyRange partition = new KeyRange(Key.beforePartition(COLLECTION, "b"), Key.afterPartition(COLLECTION, "b"));
        assertThat(keys(scan(partition))).containsExactly(key("b", ""), key("b", "\uFFFF"));
    }

    @Test
    void a_range_over_everything_shows_rows_only() {
        committed(put(key("p", "r"), row()));
        committed(put(Key.of(-1, "p", "r"), row()));
        byte[] last = new byte[9];
        Arrays.fill(last, (byte) 0xFF);
        assertThat(keys(scan(new KeyRange(new byte[0], last)))).containsExactly(key("p", "r"), Key.of(-1, "p", "r"));
    }

    @Test
    void several_ranges_make_one_page() {
        fill(10);
        Scan scan = new Scan(
                List.of(range(0, 2), range(4, 4), range(5, 6), range(8, 99)), Filter.ALL, List.of(), NO_LIMITS);
        RowPage page = await(engine.scan(scan));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(1), rowKey(5), rowKey(8), rowKey(9));
        assertThat(page.examined()).isEqualTo(5);
    }

    @Test
    void ranges_that_touch_give_no_row_twice() {
        fill(4);
        Scan scan = new Scan(List.of(range(0, 2), range(2, 4)), Filter.ALL, List.of(), NO_LIMITS);
        assertThat(keys(await(engine.scan(scan)))).containsExactly(rowKey(0), rowKey(1), rowKey(2), rowKey(3));
    }

    @Test
    void a_limit_may_stop_a_page_at_the_first_row_of_a_later_range() {
        fill(10);
        List<KeyRange> ranges = List.of(range(0, 2), range(3, 4), range(7, 9));
        RowPage page = await(engine.scan(new Scan(ranges, Filter.ALL, List.of(), rows(3))));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(1), rowKey(3));
        assertThat(page.resume()).hasValue(rowKey(7));
    }

    @Test
    void only_rows_that_match_the_filter_are_returned_and_all_are_examined() {
        fill(10);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), EVEN, NO_LIMITS)));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(2), rowKey(4), rowKey(6), rowKey(8));
        assertThat(page.examined()).isEqualTo(10);
    }

    @Test
    void a_filter_may_ask_for_keys_and_the_timestamp() {
        fill(3);
        clock.move(Duration.ofSeconds(1));
        long version = committed(put(key("p", "r01"), row()));
        Filter filter = Filter.and(List.of(
                Filter.compare(Filter.PARTITION_KEY, Operator.EQ, new EdmValue.Text("p")),
                Filter.compare(Filter.ROW_KEY, Operator.GE, new EdmValue.Text("r01")),
                Filter.compare(Filter.TIMESTAMP, Operator.EQ, new EdmValue.DateTime(version))));
        assertThat(keys(await(engine.scan(scanOf(wholeCollection(), filter, NO_LIMITS)))))
                .containsExactly(rowKey(1));
    }

    @Test
    void a_filter_that_matches_nothing_gives_an_empty_page_at_the_end() {
        fill(10);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), Filter.NONE, rows(1))));
        assertThat(page.size()).isZero();
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
    }

    @Test
    void columns_that_were_asked_for_are_there() {
        committed(put(key("p", "r"), row("A", 1, "B", 2)));
        Scan scan = new Scan(List.of(wholeCollection()), Filter.ALL, List.of("B", "C"), NO_LIMITS);
        RowPage page = await(engine.scan(scan));
        assertThat(properties(page.row(0))).containsEntry("B", new EdmValue.Int32(2));
        assertThat(Rows.version(page.row(0)))
                .isEqualTo(Rows.version(read(key("p", "r")).orElseThrow()));
    }

    @Test
    void a_filter_may_ask_for_columns_the_caller_does_not_want() {
        fill(4);
        Scan scan = new Scan(List.of(wholeCollection()), EVEN, List.of("N"), NO_LIMITS);
        assertThat(keys(await(engine.scan(scan)))).containsExactly(rowKey(0), rowKey(2));
    }

    @Test
    void so_may_a_filter_that_asks_for_row_keys_too() {
        fill(4);
        Filter second = Filter.compare(
                Filter.ROW_KEY, Operator.EQ, new EdmValue.Text(rowKey(1).rowKey()));
        Scan scan = new Scan(List.of(wholeCollection()), Filter.or(List.of(second, EVEN)), List.of("N"), NO_LIMITS);
        assertThat(keys(await(engine.scan(scan)))).containsExactly(rowKey(0), rowKey(1), rowKey(2));
    }

    @Test
    void the_row_limit_stops_a_page_and_names_the_next_row() {
        fill(5);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), Filter.ALL, rows(3))));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(1), rowKey(2));
        assertThat(page.stopReason()).isEqualTo(StopReason.ROW_LIMIT);
        assertThat(page.resume()).hasValue(rowKey(3));
    }

    @Test
    void a_page_stopped_by_the_row_limit_resumes_at_the_next_row_that_matches() {
        fill(6);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), EVEN, rows(2))));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(2));
        assertThat(page.resume()).hasValue(rowKey(4));
    }

    @Test
    void a_page_that_just_holds_the_last_match_is_the_end() {
        fill(6);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), EVEN, rows(3))));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(2), rowKey(4));
        assertThat(page.resume()).isEmpty();
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
        RowPage all = await(engine.scan(scanOf(wholeCollection(), Filter.ALL, rows(6))));
        assertThat(all.resume()).isEmpty();
    }

    @Test
    void the_byte_limit_stops_a_page_and_names_the_next_row() {
        fill(5);
        RowPage whole = scan(wholeCollection());
        int two = whole.rowOffset(2);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), Filter.ALL, bytes(two))));
        assertThat(keys(page)).containsExactly(rowKey(0), rowKey(1));
        assertThat(page.stopReason()).isEqualTo(StopReason.BYTE_LIMIT);
        assertThat(page.resume()).hasValue(rowKey(2));
        RowPage less = await(engine.scan(scanOf(wholeCollection(), Filter.ALL, bytes(two - 1))));
        assertThat(keys(less)).containsExactly(rowKey(0));
    }

    @Test
    void a_first_row_larger_than_the_byte_limit_is_returned_alone() {
        fill(2);
        RowPage page = await(engine.scan(scanOf(wholeCollection(), Filter.ALL, bytes(1))));
        assertThat(keys(page)).containsExactly(rowKey(0));
        assertThat(page.resume()).hasValue(rowKey(1));
    }

    @Test
    void rows_that_do_not_match_count_nothing_towards_rows_and_bytes() {
        fill(100);
        Filter last = Filter.compare("N", Operator.EQ, new EdmValue.Int32(99));
        RowPage page = await(engine.scan(scanOf(wholeCollection(), last, new Scan.Limits(1, 1, Duration.ofHours(1)))));
        assertThat(keys(page)).containsExactly(rowKey(99));
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
    }

    @Test
    void a_page_without_time_still_examines_a_row_and_names_the_next_unexamined_one_unless_it_saw_all() {
        fill(99);
        Filter none = Filter.compare("N", Operator.EQ, new EdmValue.Int32(-1));
        RowPage page = await(engine.scan(scanOf(wholeCollection(), none, new Scan.Limits(10, 1000, Duration.ZERO))));
        assertThat(page.size()).isZero();
        assertThat(page.examined()).isPositive();
        if (page.stopReason() == StopReason.END) {
            assertThat(page.examined()).isEqualTo(99);
        } else {
            assertThat(page.stopReason()).isEqualTo(StopReason.TIME_LIMIT);
            assertThat(page.resume()).hasValue(rowKey((int) page.examined()));
        }
    }

    @Test
    void pages_without_time_joined_are_one_scan() {
        fill(99);
        Scan scan = scanOf(wholeCollection(), EVEN, new Scan.Limits(10, 1 << 20, Duration.ZERO));
        List<Key> joined = new ArrayList<>();
        pages(engine, scan).forEach(page -> joined.addAll(keys(page)));
        assertThat(joined).hasSize(50).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void the_last_row_examined_leaves_nothing_to_resume_from_even_without_time() {
        fill(1);
        RowPage page =
                await(engine.scan(scanOf(wholeCollection(), Filter.ALL, new Scan.Limits(10, 1000, Duration.ZERO))));
        assertThat(page.size()).isEqualTo(1);
        assertThat(page.stopReason()).isEqualTo(StopReason.END);
    }

    @Test
    void pages_joined_are_one_scan() {
        fill(99);
        for (int size : List.of(1, 7, 98, 99, 100)) {
            List<RowPage> pages = pages(engine, scanOf(wholeCollection(), Filter.ALL, rows(size)));
            List<Key> joined = new ArrayList<>();
            pages.forEach(page -> joined.addAll(keys(page)));
            assertThat(joined).isEqualTo(keys(scan(wholeCollection())));
            assertThat(pages).hasSize((99 + size - 1) / size);
        }
    }

    @Test
    void deleted_rows_are_neither_returned_nor_examined() {
        fill(10);
        committed(delete(rowKey(0)), delete(rowKey(4)), delete(rowKey(9)));
        RowPage page = scan(wholeCollection());
        assertThat(keys(page)).doesNotContain(rowKey(0), rowKey(4), rowKey(9)).hasSize(7);
        assertThat(page.examined()).isEqualTo(7);
    }

    @Test
    void a_large_row_is_returned_whole() {
        byte[] row = row("A", "x".repeat(900_000));
        long version = committed(put(key("p", "large"), row.clone()));
        Rows.stamp(row, version);
        fill(2);
        RowPage page = scan(wholeCollection());
        assertThat(keys(page)).containsExactly(key("p", "large"), rowKey(0), rowKey(1));
        assertThat(page.row(0)).isEqualTo(row);
    }

    @Test
    void long_keys_are_returned_whole() {
        Key key = key("\u4E2D".repeat(512), "\uFFFF".repeat(512));
        Key longer = key("\u4E2D".repeat(512), "\uFFFF".repeat(5000));
        committed(put(key, row()), put(longer, row()));
        assertThat(keys(scan(wholeCollection()))).containsExactly(key, longer);
    }

    @Test
    void a_page_is_one_snapshot_of_commits_that_change_many_rows() {
        int size = 50;
        overwrite(size, 0);
        CompletionStage<?> writing = engine.read(rowKey(0));
        for (int round = 1; round <= 100; round++) {
            int value = round;
            writing = writing.thenCompose(done -> engine.commit(commitOf(overwriting(size, value))));
        }
        while (!writing.toCompletableFuture().isDone()) {
            Scan scan = new Scan(List.of(range(0, 20), range(20, 99)), Filter.ALL, List.of(), NO_LIMITS);
            RowPage page = await(engine.scan(scan));
            Set<EdmValue> values = new HashSet<>();
            for (int i = 0; i < page.size(); i++) {
                values.addAll(properties(page.row(i)).values());
            }
            assertThat(page.size()).isEqualTo(size);
            assertThat(values).hasSize(1);
        }
        await(writing);
    }

    private void overwrite(int size, int value) {
        committed(overwriting(size, value));
    }

    private static Write[] overwriting(int size, int value) {
        Write[] writes = new Write[size];
        for (int i = 0; i < size; i++) {
            writes[i] = put(rowKey(i), row("N", value));
        }
        return writes;
    }

    /** Rows r00 and on in one partition, every second of which has the property Even. */
    private void fill(int count) {
        Write[] writes = new Write[count];
        for (int i = 0; i < count; i++) {
            writes[i] = put(rowKey(i), i % 2 == 0 ? row("Even", 1, "N", i) : row("N", i));
        }
        committed(writes);
    }

    private static Key rowKey(int number) {
        return key("p", String.format("r%02d", number));
    }

    private static KeyRange range(int from, int to) {
        return new KeyRange(rowKey(from).bytes(), rowKey(to).bytes());
    }

    private static Scan.Limits rows(int rows) {
        return new Scan.Limits(rows, Integer.MAX_VALUE, Duration.ofHours(1));
    }

    private static Scan.Limits bytes(int bytes) {
        return new Scan.Limits(Integer.MAX_VALUE, bytes, Duration.ofHours(1));
    }
}
