package dev.trestle.engine.hbase;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trestle.engine.EngineException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
    private static final TableName TABLE = Schema.table("trestle");

    private static TableDescriptor altered(Consumer<TableDescriptorBuilder> change) {
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(Schema.descriptor(TABLE));
        change.accept(builder);
        return builder.build();
    }

    private static TableDescriptor withFamily(Consumer<ColumnFamilyDescriptorBuilder> change) {
        ColumnFamilyDescriptor made = Schema.descriptor(TABLE).getColumnFamily(RowCells.FAMILY);
        ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(made);
        change.accept(family);
        return altered(table -> table.modifyColumnFamily(family.build()));
    }

    private static void assertRefused(TableDescriptor found, String fault) {
        assertThatThrownBy(() -> Schema.check(found))
                .isInstanceOf(EngineException.class)
                .hasMessageStartingWith("The table trestle:rows " + fault)
                .hasMessageEndingWith("Set it right, or choose another namespace.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5.0", "2.6.4", "2.6.4-hadoop3", "2.10.1", "2.7.0-SNAPSHOT"})
    void hbase_2_5_and_later_are_accepted(String version) {
        assertThatCode(() -> Schema.checkVersion(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.7.2", "2.4.18", "2.0.0-beta-1", "3.0.0", "3.0.0-alpha-4", "2", "unknown", ""})
    void other_versions_are_refused_by_name(String version) {
        assertThatThrownBy(() -> Schema.checkVersion(version))
                .isInstanceOf(EngineException.class)
                .hasMessage("The cluster runs HBase " + version
                        + "; Trestle works with 2.5 and later versions of HBase 2.");
    }

    @Test
    void the_table_that_is_made_is_accepted() {
        assertThatCode(() -> Schema.check(Schema.descriptor(TABLE))).doesNotThrowAnyException();
    }

    @Test
    void what_does_no_harm_may_be_altered() {
        assertThatCode(() -> Schema.check(withFamily(family -> family.setBlocksize(1 << 15))))
                .doesNotThrowAnyException();
        assertThatCode(() -> Schema.check(altered(table -> table.setMaxFileSize(1L << 30))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_table_without_the_column_family_is_refused() {
        assertRefused(
                altered(table -> table.removeColumnFamily(RowCells.FAMILY)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("other"))),
                "has no column family e");
    }

    @Test
    void a_table_in_which_a_deletion_hides_later_writes_is_refused() {
        assertRefused(withFamily(family -> family.setNewVersionBehavior(false)), "keeps versions in another way");
    }

    @Test
    void a_table_that_keeps_more_than_one_version_is_refused() {
        assertRefused(withFamily(family -> family.setMaxVersions(3)), "keeps versions in another way");
    }

    @Test
    void a_table_that_cannot_change_rows_together_is_refused() {
        assertRefused(
                altered(table ->
                        table.removeCoprocessor("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")),
                "lacks the coprocessor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "delimiter"})
    void a_table_whose_partitions_could_be_split_is_refused(String setting) {
        String name = "hbase.regionserver.region.split_restriction." + setting;
        assertRefused(altered(table -> table.removeValue(name)), "may split partitions");
        assertRefused(altered(table -> table.setValue(name, "KeyPrefix")), "may split partitions");
    }
}
