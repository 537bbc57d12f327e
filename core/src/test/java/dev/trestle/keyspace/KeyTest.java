package dev.trestle.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class KeyTest {
    private static final long COLLECTION = 0x0102_0304_0506_0708L;
    private static final int ROUNDS = 100_000;

    private record Pair(String partitionKey, String rowKey) {
        static final Comparator<Pair> ORDER =
                Comparator.comparing(Pair::partitionKey).thenComparing(Pair::rowKey);

        Key key() {
            return Key.of(COLLECTION, partitionKey, rowKey);
        }
    }

    private final RandomText texts = new RandomText(2);

    private Pair pair() {
        return new Pair(texts.next(), texts.next());
    }

    @Test
    void keys_round_trip() {
        for (int i = 0; i < ROUNDS; i++) {
            Pair pair = pair();
            Key key = Key.ofBytes(pair.key().bytes().clone());
            assertThat(new Pair(key.partitionKey(), key.rowKey())).isEqualTo(pair);
            assertThat(key.collection()).isEqualTo(COLLECTION);
            assertThat(key).isEqualTo(pair.key()).hasSameHashCodeAs(pair.key());
        }
    }

    @Test
    void byte_order_is_the_order_of_partition_key_then_row_key() {
        for (int i = 0; i < ROUNDS; i++) {
            Pair a = pair();
            Pair b = i % 3 == 0 ? new Pair(a.partitionKey(), texts.next()) : pair();
            assertThat(Integer.signum(a.key().compareTo(b.key())))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(Pair.ORDER.compare(a, b)));
        }
    }

    @Test
    void the_edges_of_a_partition_hold_its_rows_and_no_others() {
        for (int i = 0; i < ROUNDS; i++) {
            Pair row = pair();
            String partition = i % 3 == 0 ? row.partitionKey() : texts.next();
            byte[] before = Key.beforePartition(COLLECTION, partition);
            byte[] after = Key.afterPartition(COLLECTION, partition);
            byte[] key = row.key().bytes();
            int order = row.partitionKey().compareTo(partition);
            assertThat(Arrays.compareUnsigned(key, before) >= 0)
                    .as("%s from the start of %s", row, partition)
                    .isEqualTo(order >= 0);
            assertThat(Arrays.compareUnsigned(key, after) >= 0)
                    .as("%s from the end of %s", row, partition)
                    .isEqualTo(order > 0);
        }
    }

    @Test
    void the_position_after_a_row_parts_it_from_every_later_one() {
        for (int i = 0; i < ROUNDS; i++) {
            Pair row = pair();
            Pair other = i % 3 == 0 ? new Pair(row.partitionKey(), texts.next()) : pair();
            byte[] after = Key.afterRow(COLLECTION, row.partitionKey(), row.rowKey());
            assertThat(Arrays.compareUnsigned(other.key().bytes(), after) >= 0)
                    .as("%s after %s", other, row)
                    .isEqualTo(Pair.ORDER.compare(other, row) > 0);
        }
    }

    @Test
    void a_collection_holds_all_its_keys_and_none_of_its_neighbours() {
        for (long collection : new long[] {COLLECTION, -1L, 0x0101_0101_0101_0101L, 0x01FF_FFFF_FFFF_FFFFL}) {
            KeyRange range = Key.collectionRange(collection);
            for (String text : new String[] {"", "\u0000", "a", "\uFFFF\uFFFF", "\uDBFF\uDFFF"}) {
                assertThat(holds(range, Key.of(collection, text, text))).isTrue();
            }
            for (long other :
                    new long[] {0x0102_0304_0506_0707L, 0x0102_0304_0506_0709L, -2L, 0x0201_0101_0101_0101L}) {
                assertThat(holds(range, Key.of(other, "", ""))).isFalse();
                assertThat(holds(range, Key.of(other, "\uFFFF", "\uFFFF"))).isFalse();
            }
        }
    }

    private static boolean holds(KeyRange range, Key key) {
        return Arrays.compareUnsigned(range.from(), key.bytes()) <= 0
                && Arrays.compareUnsigned(key.bytes(), range.to()) < 0;
    }

    @Test
    void a_collection_with_a_zero_byte_is_refused() {
        assertThatThrownBy(() -> Key.of(0x0102_0300_0506_0708L, "p", "r")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytes_without_a_separator_are_no_key() {
        assertThatThrownBy(() ->
                        Key.ofBytes(Key.beforePartition(COLLECTION, "abc")).rowKey())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_range_that_starts_later_keeps_its_end() {
        KeyRange range = new KeyRange(new byte[] {1}, new byte[] {5});
        assertThat(range.startingAt(new byte[] {0})).isSameAs(range);
        assertThat(range.startingAt(new byte[] {3})).isEqualTo(new KeyRange(new byte[] {3}, new byte[] {5}));
        assertThat(range.startingAt(new byte[] {5}).isEmpty()).isTrue();
        assertThat(range.isEmpty()).isFalse();
    }
}
