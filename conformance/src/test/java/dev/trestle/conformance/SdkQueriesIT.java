package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries over data that no test changes. */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SdkQueriesIT {
    private static final int PAGE_ROWS_MAX = 1000;

    private final TrestleProcess server;
    private final TableClient table;
    private final TableClient many;

    SdkQueriesIT(TrestleProcess server) {
        this.server = server;
        this.table = Sdk.newTable(server);
        this.many = Sdk.newTable(server);
    }

    @BeforeAll
    void fill() {
        table.createEntity(typed("1", -5, -5L, -0.5, "apple", false, "2001-01-01T00:00:00Z", "0", 1));
        table.createEntity(typed("2", 0, 0L, 0.0, "Banana", true, "2026-01-01T00:00:00.5Z", "7", 2));
        table.createEntity(typed("3", 7, 7_000_000_000L, 1e10, "it's", true, "2026-01-01T00:00:00.6Z", "f", 3));
        table.createEntity(new TableEntity("other", "4").addProperty("OnlyHere", "x"));
        for (int partition = 0; partition < 3; partition++) {
            for (int batch = 0; batch < 9; batch++) {
                List<TableTransactionAction> actions = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    actions.add(new TableTransactionAction(
                            TableTransactionActionType.CREATE,
                            new TableEntity("p" + partition, String.format("%04d", batch * 100 + i))
                                    .addProperty("N", i)));
                }
                many.submitTransaction(actions);
            }
        }
    }

    private static TableEntity typed(
            String rowKey,
            int small,
            long big,
            double ratio,
            String text,
            boolean flag,
            String when,
            String digit,
            int octet) {
        return new TableEntity("typed", rowKey)
                .addProperty("Small", small)
                .addProperty("Big", big)
                .addProperty("Ratio", ratio)
                .addProperty("Text", text)
                .addProperty("Flag", flag)
                .addProperty("When", OffsetDateTime.parse(when))
                .addProperty("Id", UUID.fromString(digit.repeat(8) + "-0000-0000-0000-000000000000"))
                .addProperty("Raw", new byte[] {(byte) octet, 0});
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Small eq 7|3",
                "Small ne 7|1 2",
                "Small lt 0|1",
                "Small ge -5|1 2 3",
                "7 gt Small|1 2",
                "Big eq 7000000000L|3",
                "Big gt 0L|3",
                "Big le 0|1 2",
                "Ratio lt 0.5|1 2",
                "Ratio ge 10000000000.0|3",
                "Ratio gt -1|1 2 3",
                "Text eq 'apple'|1",
                "Text lt 'a'|2",
                "Text eq 'it''s'|3",
                "Text ge 'a' and Text lt 'b'|1",
                "Flag eq true|2 3",
                "Flag eq false|1",
                "not Flag eq true and PartitionKey eq 'typed'|1",
                "When gt datetime'2026-01-01T00:00:00.5Z'|3",
                "When eq datetime'2026-01-01T00:00:00.5000000Z'|2",
                "When lt datetime'2020-01-01T00:00:00Z'|1",
                "Id eq guid'77777777-0000-0000-0000-000000000000'|2",
                "Id gt guid'00000000-0000-0000-0000-000000000000'|2 3",
                "Raw eq X'0200'|2",
                "Raw gt binary'0100'|2 3",
                "OnlyHere ne 'y'|4",
                "NoSuch ne 'y'|''",
                "PartitionKey eq 'typed' and (RowKey eq '1' or RowKey eq '3')|1 3",
                "PartitionKey gt 'other' and not (RowKey le '1')|2 3",
                "Timestamp gt datetime'2020-01-01T00:00:00Z'|1 2 3 4",
                "Small eq 7 or Text eq 'apple' and Flag eq true|3",
                "(Small eq 7 or Text eq 'apple') and Flag eq false|1",
                "((((Small eq 7))))|3",
            })
    void a_filter_finds(String filter, @Nullable String rowKeys) {
        List<String> expected =
                rowKeys == null || rowKeys.equals("''") ? List.of() : Arrays.asList(rowKeys.split(" ", -1));
        assertThat(Sdk.rowKeys(table, filter)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Small eq|400 InvalidInput",
                "eq 1|400 InvalidInput",
                "(Small eq 1|400 InvalidInput",
                "Small eq 'open|400 InvalidInput",
                "Small like 1|400 InvalidInput",
                "Small eq null|400 InvalidInput",
                "Small eq Big|501 NotImplemented",
                "startswith(Text,'a')|501 NotImplemented",
            })
    void a_filter_that_cannot_be_read_is_refused(String filter, String refusal) {
        String[] parts = refusal.split(" ", -1);
        Sdk.refused(Integer.parseInt(parts[0]), parts[1], () -> Sdk.find(table, filter));
    }

    @Test
    void results_are_in_the_order_of_their_keys() {
        List<String> keys = many.listEntities().stream()
                .map(entity -> entity.getPartitionKey() + entity.getRowKey())
                .toList();
        assertThat(keys).hasSize(2700).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void selecting_gives_the_selected_properties_of_each() {
        List<TableEntity> found = table
                .listEntities(new ListEntitiesOptions().setSelect(List.of("RowKey", "Text", "Big")), null, null)
                .stream()
                .toList();
        assertThat(found).hasSize(4);
        assertThat(found.get(1).getProperties())
                .containsEntry("RowKey", "1")
                .containsEntry("Text", "apple")
                .containsEntry("Big", -5L)
                .doesNotContainKeys("Small", "Flag");
    }

    @Test
    void a_page_has_at_most_a_thousand() {
        List<PagedResponse<TableEntity>> pages =
                many.listEntities().streamByPage().toList();
        assertThat(pages.get(0).getValue()).hasSize(PAGE_ROWS_MAX);
        assertThat(pages.stream().mapToInt(page -> page.getValue().size()).sum())
                .isEqualTo(2700);
    }

    @Test
    void top_is_the_size_of_a_page_not_of_the_result() {
        ListEntitiesOptions options =
                new ListEntitiesOptions().setTop(7).setFilter("PartitionKey eq 'p1' and RowKey lt '0020'");
        List<PagedResponse<TableEntity>> pages =
                many.listEntities(options, null, null).streamByPage().toList();
        assertThat(pages.stream().map(page -> page.getValue().size()).toList()).containsExactly(7, 7, 6);
        assertThat(many.listEntities(options, null, null).stream().count()).isEqualTo(20);
    }

    @Test
    void top_is_at_most_a_thousand() {
        Sdk.refused(
                400,
                "InvalidInput",
                () -> many.listEntities(new ListEntitiesOptions().setTop(1001), null, null).stream()
                        .count());
    }

    @Test
    void a_token_resumes_in_another_client_within_a_filter() {
        ListEntitiesOptions options = new ListEntitiesOptions().setTop(10).setFilter("N ge 90");
        PagedResponse<TableEntity> first = many.listEntities(options, null, null)
                .iterableByPage()
                .iterator()
                .next();
        TableClient another = Sdk.service(server).getTableClient(many.getTableName());
        List<String> rest = another.listEntities(options, null, null)
                .streamByPage(first.getContinuationToken())
                .flatMap(page -> page.getValue().stream())
                .map(entity -> entity.getPartitionKey() + entity.getRowKey())
                .toList();
        assertThat(first.getValue()).hasSize(10);
        assertThat(rest).hasSize(260).isSorted();
        assertThat(rest.get(0)).isEqualTo("p00190");
    }

    @Test
    void a_page_ends_before_its_rows_outgrow_four_mebibytes() {
        TableClient large = Sdk.newTable(server);
        for (int i = 0; i < 12; i++) {
            TableEntity entity = new TableEntity("p", String.format("%02d", i));
            for (int property = 0; property < 8; property++) {
                entity.addProperty("P" + property, new byte[64 * 1024]);
            }
            large.createEntity(entity);
        }
        List<PagedResponse<TableEntity>> pages =
                large.listEntities().streamByPage().toList();
        assertThat(pages.size()).isGreaterThan(1);
        assertThat(pages.stream().flatMap(page -> page.getValue().stream()))
                .extracting(TableEntity::getRowKey)
                .hasSize(12)
                .isSorted();
    }
}
