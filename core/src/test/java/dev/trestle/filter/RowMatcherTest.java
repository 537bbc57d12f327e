package dev.trestle.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowMatcherTest {
    private static final long COLLECTION = -1;
    private static final String BELOW = "ne lt le";
    private static final String EQUAL = "eq le ge";
    private static final String ABOVE = "ne gt ge";

    /** Three values of each type, ascending. */
    private static final Map<EdmType, List<EdmValue>> ASCENDING = new EnumMap<>(Map.of(
            EdmType.STRING, List.of(new EdmValue.Text("B"), new EdmValue.Text("b"), new EdmValue.Text("bB")),
            EdmType.INT32, List.of(new EdmValue.Int32(-5), new EdmValue.Int32(0), new EdmValue.Int32(7)),
            EdmType.INT64, List.of(new EdmValue.Int64(-5), new EdmValue.Int64(0), new EdmValue.Int64(7)),
            EdmType.DOUBLE, List.of(new EdmValue.Real(-5), new EdmValue.Real(0), new EdmValue.Real(7)),
            EdmType.BOOLEAN, List.of(new EdmValue.Bool(false), new EdmValue.Bool(true)),
            EdmType.DATE_TIME, List.of(new EdmValue.DateTime(1), new EdmValue.DateTime(2), new EdmValue.DateTime(3)),
            EdmType.GUID,
                    List.of(
                            new EdmValue.Guid(1, -1),
                            new EdmValue.Guid(Long.MAX_VALUE, Long.MIN_VALUE),
                            new EdmValue.Guid(Long.MIN_VALUE, 0)),
            EdmType.BINARY,
                    List.of(
                            new EdmValue.Binary(new byte[] {1}),
                            new EdmValue.Binary(new byte[] {1, 0}),
                            new EdmValue.Binary(new byte[] {(byte) 0x80}))));

    /** Returns the operators that are true for a property of this value and the literal. */
    private static String holding(EdmValue property, EdmValue literal) {
        return holding("P", new RowBuilder().put("P", property).build(), literal);
    }

    private static String holding(String name, byte[] row, EdmValue literal) {
        StringBuilder holding = new StringBuilder();
        for (Operator operator : Operator.values()) {
            if (matches(Filter.compare(name, operator, literal), "pk", "rk", row)) {
                holding.append(holding.isEmpty() ? "" : " ").append(operator);
            }
        }
        return holding.toString();
    }

    private static boolean matches(Filter filter, String partitionKey, String rowKey, byte[] row) {
        return RowMatcher.of(filter).matches(Key.of(COLLECTION, partitionKey, rowKey), row);
    }

    private static String inEnumOrder(String operators) {
        List<String> wanted = List.of(operators.split(" ", -1));
        return String.join(
                " ",
                Stream.of(Operator.values())
                        .map(Operator::toString)
                        .filter(wanted::contains)
                        .toList());
    }

    static Stream<Arguments> typePairs() {
        return Stream.of(EdmType.values())
                .flatMap(property -> Stream.of(EdmType.values()).map(literal -> Arguments.of(property, literal)));
    }

    @ParameterizedTest(name = "{0} property, {1} literal")
    @MethodSource("typePairs")
    void each_pair_of_types_compares_as_the_service_does(EdmType propertyType, EdmType literalType) {
        boolean comparable = propertyType == literalType
                || (propertyType == EdmType.INT64 && literalType == EdmType.INT32)
                || (propertyType == EdmType.DOUBLE && literalType == EdmType.INT32)
                || (propertyType == EdmType.DOUBLE && literalType == EdmType.INT64);
        List<EdmValue> properties = ASCENDING.getOrDefault(propertyType, List.of());
        List<EdmValue> literals = ASCENDING.getOrDefault(literalType, List.of());
        for (int i = 0; i < properties.size(); i++) {
            for (int j = 0; j < literals.size(); j++) {
                String expected = !comparable || i < j ? BELOW : i == j ? EQUAL : ABOVE;
                assertThat(holding(properties.get(i), literals.get(j)))
                        .as("%s against %s", properties.get(i), literals.get(j))
                        .isEqualTo(inEnumOrder(expected));
            }
        }
    }

    @Test
    void a_property_the_row_lacks_fails_every_comparison_and_meets_every_negated_one() {
        byte[] row = new RowBuilder().put("Other", new EdmValue.Int32(1)).build();
        for (List<EdmValue> literals : ASCENDING.values()) {
            assertThat(holding("P", row, literals.get(0))).isEmpty();
            assertThat(matches(Filter.not(Filter.compare("P", Operator.EQ, literals.get(0))), "p", "r", row))
                    .isTrue();
        }
    }

    @Test
    void names_differ_by_case() {
        byte[] row = new RowBuilder().put("name", new EdmValue.Int32(1)).build();
        assertThat(holding("Name", row, new EdmValue.Int32(1))).isEmpty();
        assertThat(holding("name", row, new EdmValue.Int32(1))).isEqualTo(inEnumOrder(EQUAL));
    }

    @Test
    void doubles_compare_as_numbers_and_nan_only_differs() {
        EdmValue nan = new EdmValue.Real(Double.NaN);
        assertThat(holding(nan, nan)).isEqualTo("ne");
        assertThat(holding(nan, new EdmValue.Real(1))).isEqualTo("ne");
        assertThat(holding(nan, new EdmValue.Int32(1))).isEqualTo("ne");
        assertThat(holding(new EdmValue.Real(1), nan)).isEqualTo("ne");
        assertThat(holding(new EdmValue.Real(-0.0), new EdmValue.Real(0.0))).isEqualTo(inEnumOrder(EQUAL));
        assertThat(holding(new EdmValue.Real(Double.POSITIVE_INFINITY), new EdmValue.Int64(Long.MAX_VALUE)))
                .isEqualTo(inEnumOrder(ABOVE));
    }

    @Test
    void strings_compare_by_code_unit() {
        assertThat(holding(new EdmValue.Text("\uD83D\uDE00"), new EdmValue.Text("\uE000")))
                .isEqualTo(inEnumOrder(BELOW));
        assertThat(holding(new EdmValue.Text("a\u0000"), new EdmValue.Text("a")))
                .isEqualTo(inEnumOrder(ABOVE));
    }

    @Test
    void keys_compare_as_strings_and_sort_below_other_types() {
        byte[] row = new RowBuilder().build();
        assertThat(holding("PartitionKey", row, new EdmValue.Text("pk"))).isEqualTo(inEnumOrder(EQUAL));
        assertThat(holding("PartitionKey", row, new EdmValue.Text("pj"))).isEqualTo(inEnumOrder(ABOVE));
        assertThat(holding("PartitionKey", row, new EdmValue.Text("pka"))).isEqualTo(inEnumOrder(BELOW));
        assertThat(holding("PartitionKey", row, new EdmValue.Text("pk\u0000"))).isEqualTo(inEnumOrder(BELOW));
        assertThat(holding("RowKey", row, new EdmValue.Text("rk"))).isEqualTo(inEnumOrder(EQUAL));
        assertThat(holding("RowKey", row, new EdmValue.Text(""))).isEqualTo(inEnumOrder(ABOVE));
        assertThat(holding("RowKey", row, new EdmValue.Int32(1))).isEqualTo(inEnumOrder(BELOW));
    }

    @Test
    void the_timestamp_is_the_version_of_the_row() {
        byte[] row = new RowBuilder().build();
        Rows.stamp(row, 500);
        assertThat(holding("Timestamp", row, new EdmValue.DateTime(500))).isEqualTo(inEnumOrder(EQUAL));
        assertThat(holding("Timestamp", row, new EdmValue.DateTime(499))).isEqualTo(inEnumOrder(ABOVE));
        assertThat(holding("Timestamp", row, new EdmValue.Text("2026"))).isEqualTo(inEnumOrder(BELOW));
    }

    @Test
    void connectives_have_their_usual_meaning() {
        byte[] row = new RowBuilder().put("P", new EdmValue.Int32(1)).build();
        Filter yes = Filter.compare("P", Operator.EQ, new EdmValue.Int32(1));
        Filter no = Filter.compare("P", Operator.EQ, new EdmValue.Int32(2));
        assertThat(matches(Filter.and(List.of(yes, no)), "p", "r", row)).isFalse();
        assertThat(matches(Filter.and(List.of(yes, Filter.not(no))), "p", "r", row))
                .isTrue();
        assertThat(matches(Filter.or(List.of(no, yes)), "p", "r", row)).isTrue();
        assertThat(matches(Filter.or(List.of(no, no)), "p", "r", row)).isFalse();
        assertThat(matches(Filter.NONE, "p", "r", row)).isFalse();
        assertThat(RowMatcher.of(Filter.ALL).matchesAll()).isTrue();
        assertThat(RowMatcher.of(yes).matchesAll()).isFalse();
    }

    @Test
    void the_key_is_needed_only_if_the_filter_compares_it() {
        Filter partition = Filter.compare("PartitionKey", Operator.GE, new EdmValue.Text("p"));
        Filter row = Filter.compare("RowKey", Operator.LT, new EdmValue.Text("r"));
        Filter property = Filter.compare("P", Operator.EQ, new EdmValue.Int32(1));
        Filter timestamp = Filter.compare("Timestamp", Operator.GT, new EdmValue.DateTime(1));
        assertThat(RowMatcher.of(Filter.and(List.of(property, Filter.not(partition))))
                        .readsKeys())
                .isTrue();
        assertThat(RowMatcher.of(Filter.or(List.of(timestamp, row))).readsKeys())
                .isTrue();
        assertThat(RowMatcher.of(Filter.and(List.of(property, timestamp))).readsKeys())
                .isFalse();
    }

    @Test
    void rows_are_matched_where_they_lie_within_an_array() {
        byte[] key = Key.of(COLLECTION, "p", "r").bytes();
        byte[] row = new RowBuilder().put("P", new EdmValue.Int32(1)).build();
        byte[] page = new byte[key.length + row.length + 9];
        System.arraycopy(key, 0, page, 4, key.length);
        System.arraycopy(row, 0, page, 4 + key.length, row.length);
        RowMatcher matcher = RowMatcher.of(Filter.and(List.of(
                Filter.compare("PartitionKey", Operator.EQ, new EdmValue.Text("p")),
                Filter.compare("RowKey", Operator.EQ, new EdmValue.Text("r")),
                Filter.compare("P", Operator.EQ, new EdmValue.Int32(1)))));
        assertThat(matcher.matches(page, 4, key.length, page, 4 + key.length, row.length, new RowReader()))
                .isTrue();
    }
}
