package dev.trestle.server.table.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trestle.engine.RowPage;
import dev.trestle.keyspace.Key;
import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.keyspace.Rows;
import dev.trestle.model.EdmType;
import dev.trestle.model.EdmValue;
import dev.trestle.model.Ticks;
import dev.trestle.server.codec.WireBuffer;
import dev.trestle.testkit.Gen;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EntityWriterTest {
    private static final String BASE = "http://127.0.0.1:10002/acct";
    private static final Key KEY = Key.of(-1, "p'1", "r 1");

    private static byte[] stamped(RowBuilder builder) {
        byte[] row = builder.build();
        Rows.stamp(row, Ticks.parse("2026-03-02T10:00:00.1234567Z").orElseThrow());
        return row;
    }

    private static String one(MetadataLevel level, byte[] row, String... select) {
        return text(new EntityWriter("acct", BASE, "orders", level, List.of(select)).one(KEY, row));
    }

    private static String text(WireBuffer buffer) {
        return new String(buffer.toBytes(), StandardCharsets.UTF_8);
    }

    private static String text(EntityWriter writer, RowPage page) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.page(page, (bytes, length) -> text.write(bytes, 0, length));
        return text.toString(StandardCharsets.UTF_8);
    }

    private static byte[] sample() {
        return stamped(new RowBuilder()
                .put("Name", new EdmValue.Text("Ada \"\u00E9\""))
                .put("Qty", new EdmValue.Int32(3))
                .put("Ratio", new EdmValue.Real(2))
                .put("Ok", new EdmValue.Bool(true))
                .put("Big", new EdmValue.Int64(9007199254740993L))
                .put("Id", new EdmValue.Guid(0x3f2504e04f8911d3L, 0x9a0c0305e82c3301L))
                .put(
                        "When",
                        new EdmValue.DateTime(
                                Ticks.parse("2026-01-31T23:59:59.5Z").orElseThrow()))
                .put("Raw", new EdmValue.Binary(new byte[] {1, 2, 3}))
                .put("Inf", new EdmValue.Real(Double.POSITIVE_INFINITY)));
    }

    @Test
    void minimal_metadata_annotates_what_json_cannot_say() {
        assertThat(one(MetadataLevel.MINIMAL, sample()))
                .isEqualTo("{\"odata.metadata\":\"" + BASE + "/$metadata#orders/@Element\","
                        + "\"odata.etag\":\"W/\\\"datetime'2026-03-02T10%3A00%3A00.1234567Z'\\\"\","
                        + "\"PartitionKey\":\"p'1\",\"RowKey\":\"r 1\",\"Timestamp\":\"2026-03-02T10:00:00.1234567Z\","
                        + "\"Name\":\"Ada \\\"\u00E9\\\"\",\"Qty\":3,\"Ratio\":2.0,\"Ok\":true,"
                        + "\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"9007199254740993\","
                        + "\"Id@odata.type\":\"Edm.Guid\",\"Id\":\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\","
                        + "\"When@odata.type\":\"Edm.DateTime\",\"When\":\"2026-01-31T23:59:59.5Z\","
                        + "\"Raw@odata.type\":\"Edm.Binary\",\"Raw\":\"AQID\","
                        + "\"Inf@odata.type\":\"Edm.Double\",\"Inf\":\"Infinity\"}");
    }

    @Test
    void full_metadata_adds_addresses_and_the_type_of_the_timestamp() {
        assertThat(one(MetadataLevel.FULL, stamped(new RowBuilder().put("A", new EdmValue.Int32(1)))))
                .isEqualTo("{\"odata.metadata\":\"" + BASE + "/$metadata#orders/@Element\","
                        + "\"odata.type\":\"acct.orders\","
                        + "\"odata.id\":\"" + BASE + "/orders(PartitionKey='p''1',RowKey='r%201')\","
                        + "\"odata.etag\":\"W/\\\"datetime'2026-03-02T10%3A00%3A00.1234567Z'\\\"\","
                        + "\"odata.editLink\":\"orders(PartitionKey='p''1',RowKey='r%201')\","
                        + "\"PartitionKey\":\"p'1\",\"RowKey\":\"r 1\",\"Timestamp@odata.type\":\"Edm.DateTime\","
                        + "\"Timestamp\":\"2026-03-02T10:00:00.1234567Z\",\"A\":1}");
    }

    @Test
    void no_metadata_is_data_alone() {
        assertThat(one(MetadataLevel.NONE, stamped(new RowBuilder().put("B", new EdmValue.Int64(1)))))
                .isEqualTo(
                        "{\"PartitionKey\":\"p'1\",\"RowKey\":\"r 1\",\"Timestamp\":\"2026-03-02T10:00:00.1234567Z\",\"B\":\"1\"}");
    }

    @Test
    void a_selection_is_written_keys_first_with_null_for_what_is_missing() {
        assertThat(one(MetadataLevel.MINIMAL, sample(), "Missing", "Qty", "RowKey", "Big"))
                .isEqualTo(
                        "{\"odata.metadata\":\"" + BASE + "/$metadata#orders/@Element&$select=Missing,Qty,RowKey,Big\","
                                + "\"odata.etag\":\"W/\\\"datetime'2026-03-02T10%3A00%3A00.1234567Z'\\\"\",\"RowKey\":\"r 1\","
                                + "\"Missing\":null,\"Qty\":3,\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"9007199254740993\"}");
        assertThat(one(MetadataLevel.NONE, sample(), "Qty")).isEqualTo("{\"Qty\":3}");
        assertThat(one(MetadataLevel.NONE, sample(), "Missing")).isEqualTo("{\"Missing\":null}");
    }

    @Test
    void a_page_is_a_list_of_entities() {
        RowPage.Builder page = new RowPage.Builder();
        for (int i = 0; i < 40; i++) {
            byte[] key = Key.of(-1, "p", "r" + i).bytes();
            byte[] row = stamped(new RowBuilder().put("A", new EdmValue.Int32(i)));
            page.add(key, key.length, row, row.length);
        }
        String text =
                text(new EntityWriter("acct", BASE, "orders", MetadataLevel.NONE, List.of("RowKey", "A")), page.end());
        StringBuilder expected = new StringBuilder("{\"value\":[");
        for (int i = 0; i < 40; i++) {
            expected.append(i == 0 ? "" : ",").append("{\"RowKey\":\"r" + i + "\",\"A\":" + i + "}");
        }
        assertThat(text).isEqualTo(expected + "]}");
        String empty = text(
                new EntityWriter("acct", BASE, "orders", MetadataLevel.MINIMAL, List.of("A")),
                new RowPage.Builder().end());
        assertThat(empty).isEqualTo("{\"odata.metadata\":\"" + BASE + "/$metadata#orders&$select=A\",\"value\":[]}");
    }

    @Test
    void a_selected_name_cannot_break_out_of_the_document() {
        assertThat(one(MetadataLevel.MINIMAL, sample(), "a\"b"))
                .contains("$select=a\\\"b\"")
                .endsWith(",\"a\\\"b\":null}");
    }

    static LongStream seeds() {
        return Gen.seeds(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void what_is_written_with_metadata_is_read_as_the_same_row(long seed) {
        Gen gen = new Gen(seed);
        for (int i = 0; i < 300; i++) {
            byte[] row = gen.row();
            for (MetadataLevel level : List.of(MetadataLevel.MINIMAL, MetadataLevel.FULL)) {
                byte[] json = new EntityWriter("acct", BASE, "orders", level, List.of())
                        .one(Key.of(-1, "p", gen.chance(50) ? "r" : "\uD83D\uDE00 '"), row)
                        .toBytes();
                assertThat(EntityReader.read(json, 0, json.length).row())
                        .as("%s", new String(json, StandardCharsets.UTF_8))
                        .isEqualTo(row);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void an_entity_in_a_page_is_written_as_it_is_alone(long seed) {
        Gen gen = new Gen(seed);
        for (MetadataLevel level : MetadataLevel.values()) {
            RowPage.Builder page = new RowPage.Builder();
            StringJoiner expected = new StringJoiner(",", "\"value\":[", "]}");
            Map<String, EdmType> shape = shape(gen);
            long version = 0;
            for (int i = 0; i < 200; i++) {
                // Equal to the one before or different, in every cached respect.
                shape = gen.chance(20) ? shape(gen) : shape;
                byte[] row = row(gen, shape);
                version = gen.chance(30) ? gen.below(1 << 30) * 1_000_000_007L : version;
                Rows.stamp(row, version);
                Key key = Key.of(-1, "p" + gen.below(2), "r" + i);
                page.add(key.bytes(), key.bytes().length, row, row.length);
                String alone = text(new EntityWriter("acct", BASE, "orders", level, List.of()).one(key, row));
                expected.add(
                        level == MetadataLevel.NONE
                                ? alone
                                : "{" + alone.substring(alone.indexOf("@Element\",") + "@Element\",".length()));
            }
            assertThat(text(new EntityWriter("acct", BASE, "orders", level, List.of()), page.end()))
                    .endsWith(expected.toString());
        }
    }

    @Test
    void there_is_room_for_the_longest_text_of_rows_that_are_alike() {
        RowBuilder longest = new RowBuilder();
        for (int i = 0; i < 20; i++) {
            longest.put("a" + i, new EdmValue.Int64(Long.MIN_VALUE))
                    .put("b" + i, new EdmValue.Guid(-1, -1))
                    .put("c" + i, new EdmValue.DateTime(Ticks.MAX))
                    .put("d" + i, new EdmValue.Bool(false))
                    .put("e" + i, new EdmValue.Int32(Integer.MIN_VALUE))
                    .put("f" + i, new EdmValue.Real(-99_999_999_999.9999));
        }
        byte[] row = stamped(longest);
        byte[] key = KEY.bytes();
        RowTemplateWriter alike = new RowTemplateWriter(MetadataLevel.MINIMAL);
        String alone = one(MetadataLevel.MINIMAL, row);
        for (int i = 0; i < 3; i++) {
            WireBuffer out = new WireBuffer(0);
            alike.write(new RowReader().reset(row), key, 0, key.length, out);
            assertThat(alone).endsWith("," + text(out) + "}");
        }
    }

    private static Map<String, EdmType> shape(Gen gen) {
        Map<String, EdmType> shape = new LinkedHashMap<>();
        for (int i = gen.below(20); i >= 0; i--) {
            shape.put(
                    gen.propertyName() + "x".repeat(gen.chance(80) ? 0 : gen.below(200)),
                    gen.oneOf(List.of(EdmType.values())));
        }
        return shape;
    }

    /** A row of values that are plain or anything at all, at times a long one. */
    private static byte[] row(Gen gen, Map<String, EdmType> shape) {
        RowBuilder row = new RowBuilder();
        shape.forEach((name, type) -> {
            EdmValue plain = type == EdmType.STRING
                    ? new EdmValue.Text("plain".repeat(gen.below(gen.chance(2) ? 2000 : 8)))
                    : new EdmValue.Real((gen.below(2_000_000) - 1_000_000) / 100.0);
            boolean hasPlain = type == EdmType.STRING || type == EdmType.DOUBLE;
            row.put(name, hasPlain && gen.chance(70) ? plain : gen.value(type));
        });
        return row.build();
    }

    @Test
    void a_large_page_comes_in_pieces_that_make_a_whole() {
        RowPage.Builder page = new RowPage.Builder();
        StringJoiner expected = new StringJoiner(",", "{\"value\":[", "]}");
        EntityWriter writer = new EntityWriter("acct", BASE, "orders", MetadataLevel.NONE, List.of());
        for (int i = 0; i < 20; i++) {
            byte[] row = stamped(new RowBuilder().put("A", new EdmValue.Text(("text" + i).repeat(2000))));
            Key key = Key.of(-1, "p" + i / 3, "r" + i);
            page.add(key.bytes(), key.bytes().length, row, row.length);
            expected.add(text(writer.one(key, row)));
        }
        List<Integer> pieces = new ArrayList<>();
        RowPage whole = page.end();
        writer.page(whole, (bytes, length) -> pieces.add(length));
        assertThat(pieces).hasSizeGreaterThan(2).allMatch(length -> length < 100_000);
        assertThat(text(writer, whole)).isEqualTo(expected.toString());
    }

    @ParameterizedTest
    @EnumSource(MetadataLevel.class)
    void the_cursor_is_reused_from_row_to_row(MetadataLevel level) {
        RowPage.Builder page = new RowPage.Builder();
        byte[] key = KEY.bytes();
        byte[] first = sample();
        byte[] second = stamped(new RowBuilder());
        page.add(key, key.length, first, first.length);
        page.add(key, key.length, second, second.length);
        RowPage built = page.end();
        assertThat(new RowReader().reset(built.row(1)).next()).isFalse();
        String text = text(new EntityWriter("acct", BASE, "orders", level, List.of("Qty")), built);
        assertThat(text).contains("\"Qty\":3}").endsWith("\"Qty\":null}]}");
    }
}
