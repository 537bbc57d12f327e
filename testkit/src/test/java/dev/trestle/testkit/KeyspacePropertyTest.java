package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.KeyRange;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmValue;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyspacePropertyTest {
    private static final int ROUNDS = 1000;
    private static final Comparator<Key> BY_STRINGS =
            Comparator.comparing(Key::partitionKey).thenComparing(Key::rowKey);

    static LongStream seeds() {
        return Gen.seeds(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keys_round_trip_and_sort_as_their_strings_do(long seed) {
        Gen.check(seed, gen -> {
            for (int i = 0; i < ROUNDS; i++) {
                String partitionKey = gen.keyText();
                String rowKey = gen.keyText();
                Key key = Key.of(-1, partitionKey, rowKey);
                Key other = gen.key(-1);
                assertThat(key.partitionKey()).isEqualTo(partitionKey);
                assertThat(key.rowKey()).isEqualTo(rowKey);
                assertThat(Integer.signum(key.compareTo(other)))
                        .as("%s and %s", key, other)
                        .isEqualTo(Integer.signum(BY_STRINGS.compare(key, other)));
            }
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_collections_range_holds_its_keys_and_no_others(long seed) {
        Gen.check(seed, gen -> {
            for (long collection :
                    new long[] {0x0101_0101_0101_0101L, 0x0101_0101_0101_01FFL, Long.MAX_VALUE, -2, -1}) {
                KeyRange range = Key.collectionRange(collection);
                for (int i = 0; i < ROUNDS; i++) {
                    assertThat(range.startingAt(gen.key(collection).bytes()).isEmpty())
                            .isFalse();
                }
                assertThat(new KeyRange(range.to(), Key.collectionRange(-1).to()).isEmpty())
                        .isEqualTo(collection == -1);
            }
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void rows_round_trip(long seed) {
        Gen.check(seed, gen -> {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] row = gen.row();
                assertThat(encode(EngineContract.properties(row))).isEqualTo(row);
                assertThat(Rows.propertyCount(row))
                        .isEqualTo(EngineContract.properties(row).size());
            }
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void merging_rows_is_merging_their_properties(long seed) {
        Gen.check(seed, gen -> {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] base = gen.row();
                byte[] delta = gen.row();
                Map<String, EdmValue> expected = new LinkedHashMap<>(EngineContract.properties(base));
                expected.putAll(EngineContract.properties(delta));
                assertThat(Rows.merge(base, delta)).isEqualTo(encode(expected));
            }
        });
    }

    private static byte[] encode(Map<String, EdmValue> properties) {
        RowBuilder row = new RowBuilder();
        properties.forEach(row::put);
        return row.build();
    }
}
