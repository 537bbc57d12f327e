package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedServer.class)
class SdkValuesIT {
    private static final int STRING_UNITS_MAX = 32 * 1024;
    private static final int BINARY_BYTES_MAX = 64 * 1024;
    private static final int PROPERTIES_MAX = 252;

    private final TableClient table;

    SdkValuesIT(TrestleProcess server) {
        this.table = Sdk.newTable(server);
    }

    static Stream<Object> values() {
        return Stream.of(
                "",
                "text",
                "  spaces around  ",
                "line\r\nbreaks\tand \"quotes\" \\ / \b\f",
                "\u0001\u001f\u007f\u0085\u2028",
                "é漢字\ud83d\ude00\u0000nul",
                "\ufeffbyte order mark",
                "2026-01-01T00:00:00Z",
                "x".repeat(STRING_UNITS_MAX),
                "\ud83d\ude00".repeat(STRING_UNITS_MAX / 2),
                true,
                false,
                0,
                -1,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                0L,
                1L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                9_007_199_254_740_993L,
                0.0,
                1.0,
                -2.5,
                0.1,
                1e21,
                1e-7,
                123456789.12345679,
                Double.MAX_VALUE,
                Double.MIN_VALUE,
                Double.MIN_NORMAL,
                new UUID(0, 0),
                new UUID(-1, -1),
                UUID.fromString("3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
                OffsetDateTime.parse("1601-01-01T00:00:00Z"),
                OffsetDateTime.parse("1970-01-01T00:00:00Z"),
                OffsetDateTime.parse("2026-02-28T23:59:59.1234567Z"),
                OffsetDateTime.parse("2026-02-28T23:59:59.1234560Z"),
                OffsetDateTime.parse("2024-02-29T12:00:00.0000001Z"),
                OffsetDateTime.parse("9999-12-31T23:59:59.9999999Z"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void a_value_comes_back_as_it_went(Object value) {
        table.upsertEntity(new TableEntity("p", "r").addProperty("V", value));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(value);
        assertThat(table.listEntities().stream().map(entity -> entity.getProperty("V")))
                .containsExactly(value);
    }

    static Stream<byte[]> binaries() {
        byte[] every = new byte[BINARY_BYTES_MAX];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        return Stream.of(new byte[0], new byte[] {0}, new byte[] {1, 2}, new byte[] {-1, -2, -3}, every);
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void a_binary_comes_back_as_it_went(byte[] value) {
        table.upsertEntity(new TableEntity("p", "r").addProperty("V", value));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(value);
    }

    /** This SDK sends and returns them as untyped text, so they are stored as text. */
    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void special_doubles_are_text_to_this_sdk(double value) {
        table.upsertEntity(new TableEntity("p", "r").addProperty("V", value));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(Double.toString(value));
    }

    @Test
    void a_time_with_an_offset_comes_back_in_utc() {
        table.upsertEntity(
                new TableEntity("p", "r").addProperty("V", OffsetDateTime.parse("2026-07-01T10:00:00+02:00")));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(OffsetDateTime.parse("2026-07-01T08:00:00Z"));
    }

    @Test
    void null_properties_are_not_stored() {
        TableEntity entity = new TableEntity("p", "r").addProperty("Kept", 1);
        entity.addProperty("Nothing", null);
        table.createEntity(entity);
        assertThat(table.getEntity("p", "r").getProperties())
                .containsKey("Kept")
                .doesNotContainKey("Nothing");
    }

    @Test
    void names_are_case_sensitive_and_may_be_in_any_script() {
        table.createEntity(new TableEntity("p", "r")
                .addProperty("name", 1)
                .addProperty("Name", 2)
                .addProperty("_name", 3)
                .addProperty("größe", 4)
                .addProperty("名前", 5));
        assertThat(table.getEntity("p", "r").getProperties())
                .containsEntry("name", 1)
                .containsEntry("Name", 2)
                .containsEntry("_name", 3)
                .containsEntry("größe", 4)
                .containsEntry("名前", 5);
    }

    @Test
    void values_beyond_the_limits_are_refused_and_not_stored() {
        Sdk.refused(400, "PropertyValueTooLarge", () -> insert("V", "x".repeat(STRING_UNITS_MAX + 1)));
        Sdk.refused(400, "PropertyValueTooLarge", () -> insert("V", new byte[BINARY_BYTES_MAX + 1]));
        Sdk.refused(400, "OutOfRangeInput", () -> insert("V", OffsetDateTime.parse("1600-12-31T23:59:59.9999999Z")));
        Sdk.refused(400, "PropertyNameTooLong", () -> insert("n".repeat(256), 1));
        Sdk.refused(400, "PropertyNameInvalid", () -> insert("not a name", 1));
        assertThat(table.listEntities()).isEmpty();
    }

    private void insert(String name, Object value) {
        table.createEntity(new TableEntity("p", "refused").addProperty(name, value));
    }

    @Test
    void an_entity_has_at_most_252_properties() {
        TableEntity entity = new TableEntity("p", "r");
        for (int i = 0; i < PROPERTIES_MAX; i++) {
            entity.addProperty("P" + i, i);
        }
        table.createEntity(entity);
        assertThat(table.getEntity("p", "r").getProperties()).containsEntry("P251", 251);
        Sdk.refused(
                400,
                "TooManyProperties",
                () -> table.updateEntity(new TableEntity("p", "r").addProperty("OneMore", 1)));
        Sdk.refused(400, "TooManyProperties", () -> table.upsertEntity(entity.addProperty("OneMore", 1)));
        assertThat(table.getEntity("p", "r").getProperties()).doesNotContainKey("OneMore");
    }

    @Test
    void an_entity_has_at_most_one_mebibyte() {
        TableEntity entity = new TableEntity("p", "r");
        // Fifteen full strings are just below the limit by the service's formula, the sixteenth is beyond it.
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            names.add("P" + i);
            entity.addProperty("P" + i, "x".repeat(STRING_UNITS_MAX));
        }
        table.createEntity(entity);
        assertThat(table.getEntity("p", "r").getProperties()).containsKeys(names.toArray(String[]::new));
        Sdk.refused(
                400,
                "EntityTooLarge",
                () -> table.updateEntity(new TableEntity("p", "r").addProperty("P15", "x".repeat(STRING_UNITS_MAX))));
    }

    @Test
    void keys_have_at_most_512_units_of_permitted_characters() {
        String longest = "k".repeat(512);
        table.createEntity(new TableEntity(longest, longest));
        assertThat(table.getEntity(longest, longest).getRowKey()).isEqualTo(longest);
        Sdk.refused(400, "PropertyValueTooLarge", () -> table.createEntity(new TableEntity(longest + "k", "r")));
        for (String forbidden : List.of("a/b", "a\\b", "a#b", "a?b", "a\tb", "a\u0080b")) {
            Sdk.refused(400, "OutOfRangeInput", () -> table.createEntity(new TableEntity("p", forbidden)));
        }
    }
}
