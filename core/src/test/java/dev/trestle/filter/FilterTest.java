package dev.trestle.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.model.EdmValue;
import dev.trestle.model.Ticks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FilterTest {
    private static final Filter A = Filter.compare("A", Operator.EQ, new EdmValue.Int32(1));
    private static final Filter B = Filter.compare("B", Operator.GT, new EdmValue.Text("it's"));
    private static final Filter C = Filter.compare("C", Operator.NE, new EdmValue.Bool(true));

    @Test
    void chains_of_one_connective_are_flat() {
        assertThat(Filter.and(List.of(Filter.and(List.of(A, B)), C))).isEqualTo(new Filter.And(List.of(A, B, C)));
        assertThat(Filter.and(List.of(A, Filter.and(List.of(B, C))))).isEqualTo(new Filter.And(List.of(A, B, C)));
        assertThat(Filter.or(List.of(Filter.or(List.of(A, B)), C))).isEqualTo(new Filter.Or(List.of(A, B, C)));
    }

    @Test
    void connectives_that_alternate_stay_nested() {
        Filter either = Filter.or(List.of(A, B));
        assertThat(Filter.and(List.of(either, C))).isEqualTo(new Filter.And(List.of(either, C)));
    }

    @Test
    void what_says_nothing_is_left_out() {
        assertThat(Filter.and(List.of(Filter.ALL, A, Filter.ALL))).isEqualTo(A);
        assertThat(Filter.or(List.of(Filter.NONE, A))).isEqualTo(A);
        assertThat(Filter.and(List.of())).isEqualTo(Filter.ALL);
        assertThat(Filter.or(List.of())).isEqualTo(Filter.NONE);
        assertThat(Filter.not(Filter.not(A))).isEqualTo(A);
    }

    @Test
    void filters_print_in_the_grammar() {
        assertThat(Filter.and(List.of(Filter.or(List.of(A, B)), Filter.not(C))))
                .hasToString("(A eq 1 or B gt 'it''s') and not (C ne true)");
        assertThat(Filter.or(List.of(Filter.and(List.of(A, B)), C)))
                .hasToString("A eq 1 and B gt 'it''s' or C ne true");
        assertThat(Filter.ALL).hasToString("true");
        assertThat(Filter.NONE).hasToString("false");
    }

    @Test
    void literals_print_as_they_are_typed() {
        assertThat(new EdmValue.Int64(-5)).hasToString("-5L");
        assertThat(new EdmValue.Real(0.5)).hasToString("0.5");
        assertThat(new EdmValue.Real(Double.NaN)).hasToString("NaN");
        assertThat(new EdmValue.Real(Double.POSITIVE_INFINITY)).hasToString("INF");
        assertThat(new EdmValue.Real(Double.NEGATIVE_INFINITY)).hasToString("-INF");
        assertThat(new EdmValue.DateTime(Ticks.MAX)).hasToString("datetime'9999-12-31T23:59:59.9999999Z'");
        assertThat(new EdmValue.Guid(0x3f2504e04f8911d3L, 0x9a0c0305e82c3301L))
                .hasToString("guid'3f2504e0-4f89-11d3-9a0c-0305e82c3301'");
        assertThat(new EdmValue.Binary(new byte[] {1, (byte) 0xAB})).hasToString("X'01ab'");
    }

    @Test
    void binaries_are_equal_by_their_bytes_and_keep_their_own() {
        byte[] bytes = {1, 2};
        EdmValue.Binary value = new EdmValue.Binary(bytes);
        bytes[0] = 9;
        assertThat(value)
                .isEqualTo(new EdmValue.Binary(new byte[] {1, 2}))
                .hasSameHashCodeAs(new EdmValue.Binary(new byte[] {1, 2}));
    }

    @ParameterizedTest
    @EnumSource(Operator.class)
    void an_operator_its_negation_and_its_mirror_agree_on_every_order(Operator operator) {
        for (int order = -1; order <= 1; order++) {
            assertThat(operator.negated().holds(order)).isEqualTo(!operator.holds(order));
            assertThat(operator.mirrored().holds(-order)).isEqualTo(operator.holds(order));
        }
        assertThat(operator.negated().negated()).isEqualTo(operator);
        assertThat(operator).hasToString(operator.name().toLowerCase(java.util.Locale.ROOT));
    }
}
