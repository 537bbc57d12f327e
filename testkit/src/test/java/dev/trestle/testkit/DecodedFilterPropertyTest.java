package dev.trestle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.filter.Filter;
import dev.trestle.filter.RowMatcher;
import dev.trestle.keyspace.Key;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecodedFilterPropertyTest {
    static LongStream seeds() {
        return Gen.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_filter_on_encoded_bytes_answers_as_on_decoded_values(long seed) {
        Gen.check(seed, gen -> {
            for (int i = 0; i < 2000; i++) {
                Filter filter = gen.filter(4);
                Key key = gen.key(-1);
                byte[] row = gen.row();
                assertThat(RowMatcher.of(filter).matches(key, row))
                        .as("%s of %s", filter, EngineContract.properties(row))
                        .isEqualTo(DecodedFilter.matches(filter, key, row));
            }
        });
    }
}
