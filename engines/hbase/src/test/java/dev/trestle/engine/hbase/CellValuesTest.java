package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.keyspace.RowBuilder;
import dev.trestle.keyspace.RowReader;
import dev.trestle.model.EdmValue;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CellValuesTest {
    static List<List<EdmValue>> ascending() {
        return List.of(
                List.of(text(""), text("\u0000"), text("a"), text("a\u0000"), text("ab"), text("b"), text("\uFFFF")),
                List.of(int32(Integer.MIN_VALUE), int32(-1), int32(0), int32(1), int32(Integer.MAX_VALUE)),
                List.of(int64(Long.MIN_VALUE), int64(-1), int64(0), int64(1), int64(Long.MAX_VALUE)),
                List.of(
                        real(Double.NEGATIVE_INFINITY),
                        real(-Double.MAX_VALUE),
                        real(-1),
                        real(-Double.MIN_VALUE),
                        real(-0.0),
                        real(0.0),
                        real(Double.MIN_VALUE),
                        real(1),
                        real(Double.POSITIVE_INFINITY),
                        real(Double.NaN)),
                List.of(new EdmValue.Bool(false), new EdmValue.Bool(true)),
                List.of(new EdmValue.DateTime(0), new EdmValue.DateTime(1), new EdmValue.DateTime(1L << 60)),
                List.of(new EdmValue.Guid(0, 1), new EdmValue.Guid(1, 0), new EdmValue.Guid(-1, 0)),
                List.of(new EdmValue.Binary(new byte[0]), new EdmValue.Binary(new byte[] {(byte) 0x80})));
    }

    private static EdmValue text(String value) {
        return new EdmValue.Text(value);
    }

    private static EdmValue int32(int value) {
        return new EdmValue.Int32(value);
    }

    private static EdmValue int64(long value) {
        return new EdmValue.Int64(value);
    }

    private static EdmValue real(double value) {
        return new EdmValue.Real(value);
    }

    @ParameterizedTest
    @MethodSource("ascending")
    void the_order_of_cells_is_the_order_of_values(List<EdmValue> values) {
        for (int i = 1; i < values.size(); i++) {
            assertThat(Arrays.compareUnsigned(CellValues.encode(values.get(i - 1)), CellValues.encode(values.get(i))))
                    .as("%s before %s", values.get(i - 1), values.get(i))
                    .isNegative();
        }
    }

    @ParameterizedTest
    @MethodSource("ascending")
    void a_value_comes_back_as_it_was(List<EdmValue> values) {
        for (EdmValue value : values) {
            RowReader stored =
                    new RowReader().reset(new RowBuilder().put("N", value).build());
            assertThat(stored.next()).isTrue();
            byte[] cell = CellValues.encode(stored);
            assertThat(cell).isEqualTo(CellValues.encode(value));
            RowBuilder row = new RowBuilder();
            CellValues.decode(cell, 0, cell.length, row.name(new byte[] {'N'}, 0, 1));
            RowReader back = new RowReader().reset(row.build());
            assertThat(back.next()).isTrue();
            assertThat(back.value()).isEqualTo(value);
        }
    }

    @Test
    void nothing_lies_between_a_cell_and_what_comes_after_it() {
        byte[] cell = CellValues.encode(new EdmValue.Text("a"));
        assertThat(Arrays.compareUnsigned(cell, CellValues.after(cell))).isNegative();
        assertThat(CellValues.after(cell)).isEqualTo(new byte[] {1, 'a', 0});
    }

    @Test
    void a_cell_that_is_shorter_than_its_type_is_not_read_on_into_what_follows_it() {
        byte[] cell = CellValues.int32(7);
        byte[] among = Arrays.copyOf(cell, cell.length + 8);
        RowBuilder row = new RowBuilder().name(new byte[] {'N'}, 0, 1);
        assertThatThrownBy(() -> CellValues.decode(among, 0, cell.length - 1, row))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("length of its type");
    }
}
