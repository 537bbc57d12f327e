package dev.trestle.server.table.json;

import static dev.trestle.server.codec.Refusals.errorOf;
import static dev.trestle.server.codec.Refusals.refusalOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import dev.trestle.model.Ticks;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityReaderTest {
    private static EntityReader read(String json) {
        byte[] body = ("#" + json + "#").getBytes(StandardCharsets.UTF_8);
        return EntityReader.read(body, 1, body.length - 2);
    }

    private static Map<String, EdmValue> properties(String json) {
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        RowReader row = new RowReader().reset(read(json).row());
        while (row.next()) {
            properties.put(row.name(), row.value());
        }
        return properties;
    }

    private static Arguments value(String members, EdmValue value) {
        return Arguments.of(members, value);
    }

    static Stream<Arguments> values() {
        EdmValue guid = new EdmValue.Guid(0x3f2504e04f8911d3L, 0x9a0c0305e82c3301L);
        return Stream.of(
                value("\"P\":\"x\"", new EdmValue.Text("x")),
                value("\"P\":\"\"", new EdmValue.Text("")),
                value("\"P\":\"2026-01-01T00:00:00Z\"", new EdmValue.Text("2026-01-01T00:00:00Z")),
                value("\"P\":\"\\ud83d\\ude00\\u0000\"", new EdmValue.Text("\uD83D\uDE00\u0000")),
                value("\"P@odata.type\":\"Edm.String\",\"P\":\"5\"", new EdmValue.Text("5")),
                value("\"P\":true", new EdmValue.Bool(true)),
                value("\"P@odata.type\":\"Edm.Boolean\",\"P\":\"false\"", new EdmValue.Bool(false)),
                value("\"P@odata.type\":\"Edm.Boolean\",\"P\":\"true\"", new EdmValue.Bool(true)),
                value("\"P@odata.type\":\"Edm.Int32\",\"P\":\"+7\"", new EdmValue.Int32(7)),
                value(
                        "\"P@odata.type\":\"Edm.Int64\",\"P\":\"9223372036854775807\"",
                        new EdmValue.Int64(Long.MAX_VALUE)),
                value("\"P\":5", new EdmValue.Int32(5)),
                value("\"P\":-2147483648", new EdmValue.Int32(Integer.MIN_VALUE)),
                value("\"P@odata.type\":\"Edm.Int32\",\"P\":7", new EdmValue.Int32(7)),
                value("\"P@odata.type\":\"Edm.Int32\",\"P\":\"7\"", new EdmValue.Int32(7)),
                value("\"P\":2147483648", new EdmValue.Real(2147483648.0)),
                value("\"P\":99999999999999999999", new EdmValue.Real(1e20)),
                value(
                        "\"P@odata.type\":\"Edm.Int64\",\"P\":\"-9223372036854775808\"",
                        new EdmValue.Int64(Long.MIN_VALUE)),
                value("\"P@odata.type\":\"Edm.Int64\",\"P\":9007199254740993", new EdmValue.Int64(9007199254740993L)),
                value("\"P@odata.type\":\"Edm.Int64\",\"P\":5", new EdmValue.Int64(5)),
                value("\"P\":5.0", new EdmValue.Real(5)),
                value("\"P\":1e3", new EdmValue.Real(1000)),
                value("\"P@odata.type\":\"Edm.Double\",\"P\":5", new EdmValue.Real(5)),
                value("\"P@odata.type\":\"Edm.Double\",\"P\":\"0\"", new EdmValue.Real(0)),
                value("\"P@odata.type\":\"Edm.Double\",\"P\":\"-1.5E+3\"", new EdmValue.Real(-1500)),
                value("\"P@odata.type\":\"Edm.Double\",\"P\":\"NaN\"", new EdmValue.Real(Double.NaN)),
                value(
                        "\"P@odata.type\":\"Edm.Double\",\"P\":\"Infinity\"",
                        new EdmValue.Real(Double.POSITIVE_INFINITY)),
                value(
                        "\"P@odata.type\":\"Edm.Double\",\"P\":\"-Infinity\"",
                        new EdmValue.Real(Double.NEGATIVE_INFINITY)),
                value(
                        "\"P@odata.type\":\"Edm.DateTime\",\"P\":\"1601-01-01T00:00:00.0000001Z\"",
                        new EdmValue.DateTime(1)),
                value(
                        "\"P@odata.type\":\"Edm.DateTime\",\"P\":\"1601-01-01T01:00:00+01:00\"",
                        new EdmValue.DateTime(0)),
                value(
                        "\"P@odata.type\":\"Edm.DateTime\",\"P\":\"9999-12-31T23:59:59.9999999Z\"",
                        new EdmValue.DateTime(Ticks.MAX)),
                value("\"P@odata.type\":\"Edm.Guid\",\"P\":\"3F2504E0-4F89-11D3-9A0C-0305E82C3301\"", guid),
                value("\"P@odata.type\":\"Edm.Binary\",\"P\":\"AQID\"", new EdmValue.Binary(new byte[] {1, 2, 3})),
                value("\"P@odata.type\":\"Edm.Binary\",\"P\":\"\"", new EdmValue.Binary(new byte[0])),
                // Annotations may follow the value, or stand apart from it.
                value("\"P\":\"5\",\"P@odata.type\":\"Edm.Int64\"", new EdmValue.Int64(5)),
                value("\"P@odata.type\":\"Edm.Int64\",\"RowKey\":\"r\",\"P\":\"5\"", new EdmValue.Int64(5)),
                value("\"P\":\"5\",\"RowKey\":\"r\",\"P@odata.type\":\"Edm.Int64\"", new EdmValue.Int64(5)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void a_value_has_the_type_its_form_or_its_annotation_gives(String members, EdmValue value) {
        assertThat(properties("{" + members + "}")).containsExactly(Map.entry("P", value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"P@odata.type\":\"Edm.Int32\",\"P\":\"x\"",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":\"\"",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":2147483648",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":\"2147483648\"",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":\"-\"",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":\"+\"",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":5.0",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":true",
                "\"P@odata.type\":\"Edm.Int32\",\"P\":\"\u0665\"",
                "\"P@odata.type\":\"Edm.Int64\",\"P\":\"9223372036854775808\"",
                "\"P@odata.type\":\"Edm.Int64\",\"P\":\"-9223372036854775809\"",
                "\"P@odata.type\":\"Edm.Int64\",\"P\":\"18446744073709551617\"",
                "\"P@odata.type\":\"Edm.Int64\",\"P\":9223372036854775808",
                "\"P@odata.type\":\"Edm.Int64\",\"P\":\"5 \"",
                "\"P@odata.type\":\"Edm.Int64\",\"P\":5.5",
                "\"P@odata.type\":\"Edm.Double\",\"P\":\"\"",
                "\"P@odata.type\":\"Edm.Double\",\"P\":\" 5\"",
                "\"P@odata.type\":\"Edm.Double\",\"P\":\"5d\"",
                "\"P@odata.type\":\"Edm.Double\",\"P\":\"0x1p3\"",
                "\"P@odata.type\":\"Edm.Double\",\"P\":\"1.797693134862316e308\"",
                "\"P@odata.type\":\"Edm.Double\",\"P\":\"\u0665\"",
                "\"P@odata.type\":\"Edm.Double\",\"P\":true",
                "\"P\":1e400",
                "\"P@odata.type\":\"Edm.Boolean\",\"P\":\"yes\"",
                "\"P@odata.type\":\"Edm.Boolean\",\"P\":1",
                "\"P@odata.type\":\"Edm.DateTime\",\"P\":\"yesterday\"",
                "\"P@odata.type\":\"Edm.DateTime\",\"P\":5",
                "\"P@odata.type\":\"Edm.Guid\",\"P\":\"3f2504e04f8911d39a0c0305e82c3301\"",
                "\"P@odata.type\":\"Edm.Guid\",\"P\":\"3f2504e-04f89-11d3-9a0c-0305e82c3301\"",
                "\"P@odata.type\":\"Edm.Guid\",\"P\":\"3f2504g0-4f89-11d3-9a0c-0305e82c3301\"",
                "\"P@odata.type\":\"Edm.Guid\",\"P\":\"+f2504e0-4f89-11d3-9a0c-0305e82c3301\"",
                "\"P@odata.type\":\"Edm.Guid\",\"P\":\"\uFF13f2504e0-4f89-11d3-9a0c-0305e82c330\"",
                "\"P@odata.type\":\"Edm.Binary\",\"P\":1234",
                "\"P@odata.type\":\"Edm.Binary\",\"P\":\"A\"",
                "\"P@odata.type\":\"Edm.Binary\",\"P\":\"AQ ID\"",
                "\"P@odata.type\":\"Edm.Binary\",\"P\":\"AQI_\"",
                "\"P@odata.type\":\"Edm.String\",\"P\":5",
                "\"P@odata.type\":\"Edm.Byte\",\"P\":5",
                "\"P@odata.type\":5,\"P\":5",
                "\"P\":{}",
                "\"P\":[1]",
            })
    void a_value_that_does_not_convert_is_refused(String members) {
        var refusal = refusalOf(() -> read("{" + members + "}"));
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(refusal.text()).isEqualTo("An error occurred while processing this request.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "[]",
                "5",
                "null",
                "{",
                "{\"P\":}",
                "{\"P\":1,}",
                "{\"P\":1}}",
                "{\"P\":1} x",
                "{P:1}",
                "{\"P\":'x'}",
                "{\"P\":NaN}",
                "{\"P\":01}",
                "{\"P\":\"\n\"}",
                "{\"odata.x\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}"
            })
    void what_is_no_json_object_is_refused(String json) {
        assertThat(errorOf(() -> read(json))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void bytes_that_are_no_utf8_are_refused() {
        byte[] body = "{\"P\":\"?\"}".getBytes(StandardCharsets.US_ASCII);
        body[6] = (byte) 0xFF;
        assertThat(errorOf(() -> EntityReader.read(body, 0, body.length))).isEqualTo(StorageError.INVALID_INPUT);
    }

    @Test
    void a_date_out_of_range_is_refused_by_name() {
        var early = refusalOf(() -> read("{\"When@odata.type\":\"Edm.DateTime\",\"When\":\"1600-12-31T23:59:59Z\"}"));
        assertThat(early.error()).isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
        assertThat(early.text()).isEqualTo("The 'When' parameter of value '12/31/1600 23:59:59' is out of range.");
        assertThat(errorOf(() -> read("{\"W@odata.type\":\"Edm.DateTime\",\"W\":\"9999-12-31T23:59:59-01:00\"}")))
                .isEqualTo(StorageError.OUT_OF_RANGE_INPUT);
    }

    @Test
    void nulls_keys_the_timestamp_and_control_information_are_no_properties() {
        assertThat(properties(
                        "{\"odata.metadata\":\"m\",\"odata.etag\":\"e\",\"odata.type\":{\"a\":[1]},\"PartitionKey\":\"p\","
                                + "\"PartitionKey@odata.type\":\"Edm.String\",\"RowKey\":\"r\",\"Timestamp@odata.type\":\"Edm.DateTime\","
                                + "\"Timestamp\":\"0001-01-01T00:00:00Z\",\"N\":null,\"M@odata.type\":\"Edm.Int64\",\"M\":null,"
                                + "\"X@odata.navigationLinkUrl\":\"u\",\"A\":1}"))
                .containsOnlyKeys("A");
    }

    @Test
    void the_timestamp_is_ignored_whatever_it_is() {
        assertThat(properties("{\"Timestamp@odata.type\":\"Edm.DateTime\",\"Timestamp\":\"never\",\"A\":1}"))
                .containsOnlyKeys("A");
    }

    @Test
    void properties_keep_their_order() {
        assertThat(properties("{\"b\":1,\"a\":2,\"C\":3,\"c\":4}").keySet()).containsExactly("b", "a", "C", "c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \r\n\t"})
    void an_empty_body_is_an_entity_without_properties(String json) {
        assertThat(properties(json)).isEmpty();
        assertThat(read(json).partitionKey()).isEmpty();
    }

    @Test
    void keys_are_strings_or_missing() {
        EntityReader entity = read("{\"PartitionKey\":\"\",\"RowKey\":null}");
        assertThat(entity.partitionKey()).contains("");
        assertThat(entity.rowKey()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"PartitionKey\":5}",
                "{\"RowKey\":5.5}",
                "{\"PartitionKey\":true}",
                "{\"RowKey\":\"5\",\"RowKey@odata.type\":\"Edm.Int64\"}",
            })
    void a_key_of_another_type_cannot_be_read(String json) {
        StorageException refusal = refusalOf(() -> {
            EntityReader entity = read(json);
            return List.of(entity.partitionKey(), entity.rowKey());
        });
        assertThat(refusal.error()).isEqualTo(StorageError.INVALID_INPUT);
        assertThat(refusal.text()).isEqualTo("An error occurred while processing this request.");
    }

    @Test
    void a_property_is_given_once() {
        assertThat(errorOf(() -> read("{\"A\":1,\"B\":2,\"A\":3}").row()))
                .isEqualTo(StorageError.DUPLICATE_PROPERTIES_SPECIFIED);
        assertThat(errorOf(() -> read("{\"A\":null,\"A\":3}").row()))
                .isEqualTo(StorageError.DUPLICATE_PROPERTIES_SPECIFIED);
    }

    @Test
    void types_and_duplicates_are_found_among_many_properties() {
        int count = 100;
        String types = IntStream.range(0, count)
                .mapToObj(i -> "\"P" + i + "@odata.type\":\"Edm.Int64\",")
                .collect(Collectors.joining());
        String values = IntStream.range(0, count)
                .mapToObj(i -> "\"P" + i + "\":\"" + i + "\"")
                .collect(Collectors.joining(","));
        Map<String, EdmValue> properties = properties("{" + types + values + "}");
        assertThat(properties).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(properties).containsEntry("P" + i, new EdmValue.Int64(i));
            String again = ",\"P" + i + "\":0";
            assertThat(errorOf(() -> read("{" + values + again + "}").row()))
                    .isEqualTo(StorageError.DUPLICATE_PROPERTIES_SPECIFIED);
        }
    }

    @Test
    void names_are_limited_in_length_and_characters() {
        assertThat(properties("{\"" + "n".repeat(255) + "\":1}")).hasSize(1);
        assertThat(errorOf(() -> read("{\"" + "n".repeat(256) + "\":1}").row()))
                .isEqualTo(StorageError.PROPERTY_NAME_TOO_LONG);
        for (String name : new String[] {
            "", "1a", "a-b", "a b", "a.b", "a/b", "a:b", "a@", "a[", "a`", "a{", "a\u007F", "\u2028", "a\u2028"
        }) {
            assertThat(errorOf(() -> read("{\"" + name + "\":1}").row()))
                    .as(name)
                    .isEqualTo(StorageError.PROPERTY_NAME_INVALID);
        }
        assertThat(properties("{\"_a1\":1,\"\u00C9tat\":2,\"\u4E2D\u6587\":3,\"AazZ09_\":4}"))
                .hasSize(4);
    }

    @Test
    void strings_and_binaries_are_limited_in_size() {
        String text = "\u00E9".repeat(Limits.STRING_UNITS_MAX);
        assertThat(properties("{\"P\":\"" + text + "\"}")).hasSize(1);
        assertThat(errorOf(() -> read("{\"P\":\"" + text + "x\"}").row()))
                .isEqualTo(StorageError.PROPERTY_VALUE_TOO_LARGE);
        String bytes = Base64.getEncoder().encodeToString(new byte[Limits.BINARY_BYTES_MAX]);
        String more = Base64.getEncoder().encodeToString(new byte[Limits.BINARY_BYTES_MAX + 1]);
        String type = "{\"P@odata.type\":\"Edm.Binary\",\"P\":\"";
        assertThat(properties(type + bytes + "\"}")).hasSize(1);
        assertThat(errorOf(() -> read(type + more + "\"}").row())).isEqualTo(StorageError.PROPERTY_VALUE_TOO_LARGE);
    }
}
