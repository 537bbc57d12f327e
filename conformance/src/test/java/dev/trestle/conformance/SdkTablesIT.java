package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableItem;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class SdkTablesIT {
    private final TrestleProcess server;
    private final TableServiceClient service;

    SdkTablesIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.service(server);
    }

    @Test
    void the_connection_string_of_the_banner_connects() {
        assertThat(server.log()).contains("AccountName=devstoreaccount1;AccountKey=" + TrestleProcess.KEY);
        assertThat(service.getServiceEndpoint()).startsWith(server.endpoint());
    }

    @Test
    void a_created_table_is_listed_and_a_deleted_one_is_not() {
        String name = SharedServer.newTableName();
        service.createTable(name);
        assertThat(listed("TableName eq '" + name + "'")).containsExactly(name);
        service.deleteTable(name);
        assertThat(listed("TableName eq '" + name + "'")).isEmpty();
    }

    @Test
    void creating_says_what_was_created() {
        String name = SharedServer.newTableName();
        TableClient table = service.getTableClient(name);
        assertThat(table.createTableWithResponse(null, null).getStatusCode()).isEqualTo(204);
        assertThat(table.getTableName()).isEqualTo(name);
        assertThat(table.deleteTableWithResponse(null, null).getStatusCode()).isEqualTo(204);
    }

    @Test
    void a_table_is_created_once() {
        String name = SharedServer.newTableName();
        assertThat(service.createTableWithResponse(name, null, null).getStatusCode())
                .isEqualTo(204);
        Sdk.refused(409, "TableAlreadyExists", () -> service.createTable(name));
        Sdk.refused(409, "TableAlreadyExists", () -> service.createTable(name.toUpperCase(Locale.ROOT)));
    }

    @Test
    void creating_if_not_exists_may_be_repeated() {
        String name = SharedServer.newTableName();
        assertThat(service.createTableIfNotExists(name)).isNotNull();
        assertThat(service.createTableIfNotExistsWithResponse(name, null, null).getStatusCode())
                .isEqualTo(409);
        assertThat(listed("TableName eq '" + name + "'")).containsExactly(name);
    }

    @Test
    void deleting_an_absent_table_is_no_failure_to_this_sdk() {
        assertThat(service.deleteTableWithResponse(SharedServer.newTableName(), null, null)
                        .getStatusCode())
                .isEqualTo(404);
    }

    @Test
    void a_recreated_table_is_empty() {
        String name = SharedServer.newTableName();
        TableClient table = service.createTable(name);
        table.createEntity(new TableEntity("p", "r"));
        table.deleteTable();
        Sdk.refused(404, "TableNotFound", () -> table.getEntity("p", "r"));
        service.createTable(name);
        assertThat(table.listEntities()).isEmpty();
        Sdk.refused(404, "ResourceNotFound", () -> table.getEntity("p", "r"));
    }

    @Test
    void bad_names_are_refused() {
        Sdk.refused(400, "OutOfRangeInput", () -> service.createTable("ab"));
        Sdk.refused(400, "InvalidResourceName", () -> service.createTable("no-dashes"));
        Sdk.refused(400, "InvalidResourceName", () -> service.createTable("1st"));
    }

    @Test
    void listing_filters_by_name() {
        String name = SharedServer.newTableName();
        List.of("A", "B", "C").forEach(suffix -> service.createTable(name + suffix));
        assertThat(listed("TableName eq '" + name + "B'")).containsExactly(name + "B");
        assertThat(listed("TableName ge '" + name + "A' and TableName lt '" + name + "C'"))
                .containsExactly(name + "A", name + "B");
        assertThat(listed("TableName eq '" + name + "C' or TableName eq '" + name + "A'"))
                .containsExactly(name + "A", name + "C");
    }

    @Test
    void listing_goes_on_where_a_page_ended_also_in_another_client() {
        String name = SharedServer.newTableName();
        List<String> suffixes = List.of("A", "B", "C", "D", "E");
        suffixes.forEach(suffix -> service.createTable(name + suffix));
        ListTablesOptions options = new ListTablesOptions()
                .setTop(2)
                .setFilter("TableName ge '" + name + "A' and TableName le '" + name + "E'");

        PagedResponse<TableItem> first = service.listTables(options, null, null)
                .iterableByPage()
                .iterator()
                .next();
        assertThat(first.getValue()).extracting(TableItem::getName).containsExactly(name + "A", name + "B");

        List<PagedResponse<TableItem>> rest = Sdk.service(server)
                .listTables(options, null, null)
                .streamByPage(first.getContinuationToken())
                .toList();
        assertThat(rest.stream().flatMap(page -> page.getValue().stream()))
                .extracting(TableItem::getName)
                .containsExactly(name + "C", name + "D", name + "E");
        assertThat(rest.get(rest.size() - 1).getContinuationToken()).isNull();
    }

    private List<String> listed(String filter) {
        return service.listTables(new ListTablesOptions().setFilter(filter), null, null).stream()
                .map(TableItem::getName)
                .toList();
    }
}
