package dev.trestle.patterns.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Order and round trips of formatted keys. */
class KeysTest {
    private static final int ROUNDS = 2_000;

    private final Random random = new Random(20140822);

    private Instant moment() {
        return Instant.ofEpochSecond(
                random.nextLong(Instant.parse("9999-12-31T23:59:59Z").getEpochSecond()),
                random.nextInt(9_999_999) * 100L);
    }

    @Test
    void inverted_ticks_are_those_of_the_guides_formula() {
        // DateTime.MaxValue.Ticks - new DateTime(2014, 8, 22, 0, 50, 32, DateTimeKind.Utc).Ticks, computed with .NET.
        assertThat(InvertedTicks.format(Instant.parse("2014-08-22T00:50:32Z"))).isEqualTo("2519936321679999999");
        assertThat(Ticks.format(Instant.parse("1970-01-01T00:00:00Z"))).isEqualTo("0621355968000000000");
    }

    @Test
    void ticks_read_back_and_sort_as_time_does_or_the_other_way_round() {
        for (int i = 0; i < ROUNDS; i++) {
            Instant one = moment();
            Instant other = moment();
            assertThat(Ticks.parse(Ticks.format(one))).isEqualTo(one);
            assertThat(InvertedTicks.parse(InvertedTicks.format(one))).isEqualTo(one);
            int order = Integer.signum(one.compareTo(other));
            assertThat(Integer.signum(Ticks.format(one).compareTo(Ticks.format(other))))
                    .isEqualTo(order);
            assertThat(Integer.signum(InvertedTicks.format(other).compareTo(InvertedTicks.format(one))))
                    .isEqualTo(order);
        }
    }

    @Test
    void padded_numbers_read_back_and_sort_as_numbers_do() {
        for (int i = 0; i < ROUNDS; i++) {
            checkOrder(PaddedNumber.unsigned(19), random.nextLong(Long.MAX_VALUE), random.nextLong(Long.MAX_VALUE));
            checkOrder(PaddedNumber.signed(20), random.nextLong(), random.nextLong());
            checkOrder(PaddedNumber.signed(4), random.nextInt(-5_000, 5_000), random.nextInt(-5_000, 5_000));
        }
        checkOrder(PaddedNumber.signed(20), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static void checkOrder(PaddedNumber padded, long one, long other) {
        assertThat(padded.parse(padded.format(one))).isEqualTo(one);
        assertThat(padded.format(one)).hasSize(padded.digits());
        assertThat(Integer.signum(padded.format(one).compareTo(padded.format(other))))
                .isEqualTo(Long.compare(one, other));
    }

    @Test
    void numbers_that_do_not_fit_are_refused() {
        assertThatThrownBy(() -> PaddedNumber.unsigned(3).format(-1)).hasMessageContaining("3 digits hold 0 to 999");
        assertThatThrownBy(() -> PaddedNumber.unsigned(3).format(1000)).hasMessageContaining("1000 does not fit");
        assertThatThrownBy(() -> PaddedNumber.signed(3).format(-501)).hasMessageContaining("-500 to 499");
        assertThatThrownBy(() -> PaddedNumber.unsigned(3).parse("12")).hasMessageContaining("3 digits");
        assertThatThrownBy(() -> PaddedNumber.unsigned(19).parse("9999999999999999999"))
                .hasMessageContaining("more than a long");
    }

    enum Kind {
        LOGIN,
        LOG_OUT
    }

    @PartitionKey("{user:escaped}-{kind}")
    @RowKey("{day:yyyyMMdd}_{at:inverted}_{id}_{balance:+00000}")
    record Compound(Kind kind, String user, LocalDate day, Instant at, UUID id, int balance) {}

    @Test
    void compound_keys_read_back_whatever_their_components_contain() {
        EntityType<Compound> type = EntityType.of(Compound.class);
        String characters = "aZ09-_/\\#?=%'\" \u0001é猫😀";
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder user = new StringBuilder();
            random.ints(random.nextInt(8), 0, characters.length()).forEach(at -> user.append(characters.charAt(at)));
            Compound value = new Compound(
                    Kind.values()[random.nextInt(2)],
                    user.toString(),
                    LocalDate.ofEpochDay(random.nextInt(30_000)),
                    moment(),
                    new UUID(random.nextLong(), random.nextLong()),
                    random.nextInt(-50_000, 50_000));
            // Only the keys, so that all values are parsed from them.
            EntityRow keysOnly = EntityRow.of(type.key(value), Map.of());
            assertThat(type.fromRow(keysOnly).value()).isEqualTo(value);
        }
    }

    @PartitionKey("{department}_{team}")
    @RowKey("{id:bucket16}")
    record Ambiguous(String department, String team, int id) {}

    @Test
    void a_component_that_contains_what_ends_it_is_refused_with_the_remedy() {
        EntityType<Ambiguous> type = EntityType.of(Ambiguous.class);
        assertThatThrownBy(() -> type.key(new Ambiguous("a_b", "c", 1)))
                .hasMessageContaining("'a_b' of department contains '_'")
                .hasMessageContaining("escaped");
        assertThatThrownBy(() -> type.key(new Ambiguous("a/b", "c", 1))).hasMessageContaining("contains '/'");
    }

    @Test
    void buckets_are_few_spread_and_always_the_same() {
        EntityType<Ambiguous> type = EntityType.of(Ambiguous.class);
        long used = IntStream.range(0, 500)
                .mapToObj(id -> type.key(new Ambiguous("a", "b", id)).rowKey())
                .peek(key -> assertThat(key).matches("0\\d|1[0-5]"))
                .distinct()
                .count();
        assertThat(used).isEqualTo(16);
        assertThat(type.key(new Ambiguous("x", "y", 7)).rowKey())
                .isEqualTo(type.key(new Ambiguous("a", "b", 7)).rowKey());
    }

    @Test
    void keys_and_their_beginnings_are_made_of_components() {
        EntityType<Ambiguous> type = EntityType.of(Ambiguous.class);
        assertThat(type.partitionKeyOf("Sales", "East")).isEqualTo("Sales_East");
        EntityType<Ambiguous> other = type.keyedBy("{id:000}", "{department}_{team}");
        assertThat(other.rowKeyOf("Sales", "East")).isEqualTo("Sales_East");
        assertThat(other.rowKeyTemplate()).hasToString("{department}_{team}");
        assertThat(other.rowKeyPrefix("Sales")).isEqualTo("Sales_");
        assertThat(other.rowKeyPrefix()).isEmpty();
        assertThatThrownBy(() -> type.partitionKeyOf("Sales")).hasMessageContaining("2 components, not 1");
    }
}
