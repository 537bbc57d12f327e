package dev.trestle.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.keyspace.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowPageTest {
    private static final int LARGE_ROWS = 100;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, LARGE_ROWS})
    void a_page_has_the_rows_and_keys_that_were_added(int rows) {
        RowPage page = page((byte) 7, rows);

        assertThat(page.size()).isEqualTo(rows);
        assertHolds(page, (byte) 7);
        assertThat(page.bytes()).isEqualTo(page.size() == 0 ? 0 : page.keyOffset(rows - 1) + page.keyLength(rows - 1));
    }

    @Test
    void pages_that_are_looked_at_keep_their_rows_whatever_others_are_built_and_closed() {
        Random random = new Random(11);
        List<Map.Entry<Byte, RowPage>> open = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte content = (byte) i;
            open.add(Map.entry(content, page(content, random.nextInt(2 * LARGE_ROWS))));
            if (open.size() > 5) {
                open.remove(random.nextInt(open.size())).getValue().close();
            }
            open.forEach(page -> assertHolds(page.getValue(), page.getKey()));
        }
    }

    @Test
    void what_is_built_next_gets_the_memory_of_a_page_that_was_closed() {
        // Those that wait from before.
        for (int i = 0; i < 100; i++) {
            page((byte) 1, LARGE_ROWS);
        }
        RowPage page = page((byte) 1, LARGE_ROWS);
        byte[] data = page.data();
        page.close();

        assertThat(page((byte) 2, LARGE_ROWS).data()).isSameAs(data);
    }

    @Test
    void a_page_is_closed_once() {
        RowPage page = page((byte) 1, LARGE_ROWS);
        page.close();

        // A second time would give its memory to two others.
        assertThatThrownBy(page::close).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void of_a_closed_page_the_numbers_are_left_and_no_row() {
        RowPage page = page((byte) 1, LARGE_ROWS);
        page.close();

        assertThat(page.size()).isEqualTo(LARGE_ROWS);
        assertThat(page.examined()).isEqualTo(LARGE_ROWS);
        assertThat(page.bytes()).isPositive();
        assertThat(page.resume()).isEmpty();
        assertThat(page.stopReason()).isEqualTo(RowPage.StopReason.END);
        List<ThrowingCallable> rows = List.of(
                page::data,
                () -> page.row(0),
                () -> page.key(0),
                () -> page.rowOffset(0),
                () -> page.rowLength(0),
                () -> page.keyOffset(0),
                () -> page.keyLength(0));
        rows.forEach(row -> assertThatThrownBy(row).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void a_builder_that_was_given_up_leaves_nothing_for_who_gets_its_room() {
        RowPage.Builder builder = RowPage.Builder.pooled();
        fill(builder, (byte) 3, LARGE_ROWS);
        builder.close();

        RowPage page = page((byte) 4, 2);
        assertThat(page.size()).isEqualTo(2);
        assertThat(page.examined()).isEqualTo(2);
        assertHolds(page, (byte) 4);
    }

    @Test
    void a_builder_that_is_closed_twice_gives_its_memory_to_one_page_only() {
        RowPage.Builder builder = RowPage.Builder.pooled();
        fill(builder, (byte) 3, LARGE_ROWS);
        builder.close();
        builder.close();

        RowPage one = page((byte) 1, LARGE_ROWS);
        RowPage other = page((byte) 2, LARGE_ROWS);
        assertHolds(one, (byte) 1);
        assertHolds(other, (byte) 2);
    }

    private static RowPage page(byte content, int rows) {
        RowPage.Builder builder = RowPage.Builder.pooled();
        try (builder) {
            fill(builder, content, rows);
            return builder.end();
        }
    }

    private static void fill(RowPage.Builder builder, byte content, int rows) {
        for (int i = 0; i < rows; i++) {
            byte[] key = key(content, i).bytes();
            byte[] row = new byte[300 + i];
            Arrays.fill(row, content);
            builder.examine();
            builder.add(key, key.length, row, row.length);
        }
    }

    private static Key key(byte content, int row) {
        return Key.of(-1, "p" + content, "r" + row);
    }

    private static void assertHolds(RowPage page, byte content) {
        for (int i = 0; i < page.size(); i++) {
            assertThat(page.key(i)).isEqualTo(key(content, i));
            assertThat(page.row(i)).hasSize(300 + i).containsOnly(content);
        }
    }
}
