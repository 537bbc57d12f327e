package dev.trestle.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RowsTest {
    private static final List<EdmType> TYPES = List.of(EdmType.values());

    private final SplittableRandom random = new SplittableRandom(3);
    private final RandomText texts = new RandomText(4);

    private EdmValue value() {
        return switch (TYPES.get(random.nextInt(TYPES.size()))) {
            case STRING ->
                new EdmValue.Text(random.nextInt(10) == 0 ? "x".repeat(random.nextInt(40_000)) : texts.next());
            case INT32 -> new EdmValue.Int32(random.nextInt());
            case INT64 -> new EdmValue.Int64(random.nextLong());
            case DOUBLE -> new EdmValue.Real(Double.longBitsToDouble(random.nextLong()));
            case BOOLEAN -> new EdmValue.Bool(random.nextBoolean());
            case DATE_TIME -> new EdmValue.DateTime(random.nextLong());
            case GUID -> new EdmValue.Guid(random.nextLong(), random.nextLong());
            case BINARY -> new EdmValue.Binary(bytes(random.nextInt(10) == 0 ? 70_000 : 300));
        };
    }

    private byte[] bytes(int lengthMax) {
        byte[] bytes = new byte[random.nextInt(lengthMax)];
        random.nextBytes(bytes);
        return bytes;
    }

    private Map<String, EdmValue> properties() {
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            properties.put(name(), value());
        }
        return properties;
    }

    private String name() {
        int choice = random.nextInt(12);
        return choice == 0 ? "N".repeat(128 + random.nextInt(128)) : choice == 1 ? "\u4E2D".repeat(85) : "P" + choice;
    }

    private static byte[] encode(Map<String, EdmValue> properties) {
        RowBuilder row = new RowBuilder();
        properties.forEach(row::put);
        assertThat(row.properties()).isEqualTo(properties.size());
        return row.build();
    }

    private static Map<String, EdmValue> decode(byte[] row) {
        return decode(new RowReader().reset(row));
    }

    private static Map<String, EdmValue> decode(RowReader reader) {
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        while (reader.next()) {
            assertThat(properties.put(reader.name(), reader.value())).isNull();
        }
        return properties;
    }

    @Test
    void rows_round_trip_in_the_order_given() {
        for (int i = 0; i < 2000; i++) {
            Map<String, EdmValue> properties = properties();
            byte[] row = encode(properties);
            assertThat(decode(row).entrySet()).containsExactlyElementsOf(properties.entrySet());
            assertThat(Rows.propertyCount(row)).isEqualTo(properties.size());
        }
    }

    @Test
    void a_row_is_read_where_it_lies_within_an_array() {
        Map<String, EdmValue> properties = properties();
        byte[] row = encode(properties);
        byte[] around = new byte[row.length + 20];
        Arrays.fill(around, (byte) 0xAA);
        System.arraycopy(row, 0, around, 7, row.length);
        assertThat(decode(new RowReader().reset(around, 7, row.length))).isEqualTo(properties);
    }

    @Test
    void a_builder_starts_anew_after_reset() {
        RowBuilder row = new RowBuilder().put("Old", new EdmValue.Text("x".repeat(5000)));
        byte[] first = row.build();
        byte[] second = row.reset().put("New", new EdmValue.Int32(1)).build();
        assertThat(decode(second)).containsOnlyKeys("New");
        assertThat(decode(first)).containsOnlyKeys("Old");
    }

    @Test
    void find_moves_to_the_property_of_that_name_from_anywhere() {
        for (int i = 0; i < 2000; i++) {
            Map<String, EdmValue> properties = properties();
            RowReader reader = new RowReader().reset(encode(properties));
            for (int j = 0; j < 4; j++) {
                String name = name();
                boolean found = reader.find(Cesu8.encode(name));
                assertThat(found).isEqualTo(properties.containsKey(name));
                if (found) {
                    assertThat(reader.name()).isEqualTo(name);
                    assertThat(reader.value()).isEqualTo(properties.get(name));
                }
            }
        }
    }

    @Test
    void a_row_cut_short_is_refused_whichever_way_it_is_read() {
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        properties.put("N", new EdmValue.Int32(1));
        properties.put("Text", new EdmValue.Text("x".repeat(300)));
        byte[] row = encode(properties);
        RowReader reader = new RowReader().reset(row, 0, row.length - 1);
        assertThat(reader.find(Cesu8.encode("N"))).isTrue();
        assertThatThrownBy(() -> reader.find(Cesu8.encode("Text"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> reader.find(Cesu8.encode("Absent"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> decode(reader.reset(row, 0, row.length - 1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void merging_keeps_the_order_of_the_base_and_appends_what_is_new() {
        for (int i = 0; i < 2000; i++) {
            Map<String, EdmValue> base = properties();
            Map<String, EdmValue> delta = properties();
            byte[] merged = Rows.merge(encode(base), encode(delta));
            Map<String, EdmValue> expected = new LinkedHashMap<>(base);
            expected.putAll(delta);
            assertThat(decode(merged).entrySet()).containsExactlyElementsOf(expected.entrySet());
            assertThat(Rows.version(merged)).isZero();
        }
    }

    @Test
    void a_version_is_stamped_in_place() {
        byte[] row = encode(Map.of("N", new EdmValue.Int32(1)));
        Rows.stamp(row, 0x1122_3344_5566_7788L);
        assertThat(Rows.version(row)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(new RowReader().reset(row).version()).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(decode(row)).containsOnlyKeys("N");
    }

    @Test
    void the_documented_size_is_the_sum_of_the_published_formula() {
        for (int i = 0; i < 500; i++) {
            Map<String, EdmValue> properties = properties();
            byte[] row = encode(properties);
            int keyUnits = random.nextInt(1024);
            long size = 4 + 2L * keyUnits;
            for (Map.Entry<String, EdmValue> property : properties.entrySet()) {
                size += 8 + 2L * property.getKey().length() + valueSize(property.getValue());
            }
            assertThat(Rows.withinDocumentedSize(keyUnits, row, size)).isTrue();
            assertThat(Rows.withinDocumentedSize(keyUnits, row, size - 1)).isFalse();
        }
    }

    private static long valueSize(EdmValue value) {
        if (value instanceof EdmValue.Text text) {
            return 2L * text.value().length() + 4;
        } else if (value instanceof EdmValue.Binary binary) {
            return binary.value().length + 4L;
        }
        return value.type().fixedSize();
    }

    @Test
    void one_mebibyte_is_the_last_size_allowed_whatever_the_row_is_made_of() {
        for (String character : new String[] {"a", "\u00E9", "\u4E2D"}) {
            Map<String, EdmValue> properties = new LinkedHashMap<>();
            int rest = (1 << 20) - 4 - 2 * 10;
            for (int i = 10; rest > 0; i++) {
                int overhead = 8 + 2 * 3 + 4;
                int units = Math.min(32 * 1024, (rest - overhead) / 2);
                if (rest - overhead - 2 * units > 0 && rest - overhead - 2 * units < overhead) {
                    units -= overhead;
                }
                properties.put("P" + i, new EdmValue.Text(character.repeat(units)));
                rest -= overhead + 2 * units;
            }
            byte[] row = encode(properties);
            assertThat(Rows.withinDocumentedSize(10, row, 1 << 20)).isTrue();
            assertThat(Rows.withinDocumentedSize(11, row, 1 << 20)).isFalse();
        }
    }

    @Test
    void rows_that_are_damaged_are_told_from_rows() {
        byte[] row = encode(Map.of("Name", new EdmValue.Text("value")));
        byte[] otherFormat = row.clone();
        otherFormat[0] = 2;
        byte[] otherType = row.clone();
        otherType[9 + 1 + "Name".getBytes(StandardCharsets.US_ASCII).length] = 9;
        for (byte[] damaged : new byte[][] {otherFormat, otherType, Arrays.copyOf(row, row.length - 1), new byte[3]}) {
            assertThatThrownBy(() -> decode(damaged)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void there_is_one_nan_whatever_its_bits() {
        double odd = Double.longBitsToDouble(0x7FF0_0000_0000_0001L);
        assertThat(encode(Map.of("N", new EdmValue.Real(odd))))
                .isEqualTo(encode(Map.of("N", new EdmValue.Real(Double.NaN))));
    }
}
