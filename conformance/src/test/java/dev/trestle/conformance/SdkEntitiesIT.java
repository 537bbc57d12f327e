package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceVersion;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class SdkEntitiesIT {
    private final TrestleProcess server;
    private final TableClient table;

    SdkEntitiesIT(TrestleProcess server) {
        this.server = server;
        this.table = Sdk.newTable(server);
    }

    private static TableEntity entity(String rowKey) {
        return new TableEntity("p", rowKey);
    }

    /** This SDK loses the last quote of the header on its way. */
    private static String etag(Response<Void> response) {
        return response.getHeaders().getValue(HttpHeaderName.ETAG);
    }

    @Test
    void an_inserted_entity_is_read_back() {
        Response<Void> inserted = table.createEntityWithResponse(
                entity("r").addProperty("Name", "Ada").addProperty("Age", 36), null, null);
        assertThat(inserted.getStatusCode()).isEqualTo(204);

        TableEntity read = table.getEntity("p", "r");
        assertThat(read.getPartitionKey()).isEqualTo("p");
        assertThat(read.getRowKey()).isEqualTo("r");
        assertThat(read.getProperty("Name")).isEqualTo("Ada");
        assertThat(read.getProperty("Age")).isEqualTo(36);
        assertThat(read.getETag()).startsWith(etag(inserted));
        assertThat(Duration.between(read.getTimestamp(), OffsetDateTime.now(ZoneOffset.UTC))
                        .abs())
                .isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void an_entity_is_inserted_once() {
        table.createEntity(entity("r").addProperty("V", 1));
        Sdk.refused(
                409, "EntityAlreadyExists", () -> table.createEntity(entity("r").addProperty("V", 2)));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(1);
    }

    @Test
    void what_is_not_there_is_not_found() {
        Sdk.refused(404, "ResourceNotFound", () -> table.getEntity("p", "absent"));
        TableClient absent = Sdk.service(server).getTableClient(SharedServer.newTableName());
        Sdk.refused(404, "TableNotFound", () -> absent.getEntity("p", "r"));
        Sdk.refused(404, "TableNotFound", () -> absent.createEntity(entity("r")));
        Sdk.refused(404, "TableNotFound", () -> absent.listEntities().stream().count());
    }

    @Test
    void merging_keeps_what_the_update_does_not_name() {
        table.createEntity(entity("r").addProperty("A", 1).addProperty("B", 1));
        table.updateEntity(entity("r").addProperty("B", 2).addProperty("C", 2));
        TableEntity read = table.getEntity("p", "r");
        assertThat(read.getProperties())
                .containsEntry("A", 1)
                .containsEntry("B", 2)
                .containsEntry("C", 2);
    }

    @Test
    void merging_may_change_the_type_of_a_property() {
        table.createEntity(entity("r").addProperty("A", 1));
        table.updateEntity(entity("r").addProperty("A", "one"), TableEntityUpdateMode.MERGE);
        assertThat(table.getEntity("p", "r").getProperty("A")).isEqualTo("one");
    }

    @Test
    void replacing_drops_what_the_update_does_not_name() {
        table.createEntity(entity("r").addProperty("A", 1).addProperty("B", 1));
        table.updateEntity(entity("r").addProperty("B", 2), TableEntityUpdateMode.REPLACE);
        TableEntity read = table.getEntity("p", "r");
        assertThat(read.getProperties()).doesNotContainKey("A").containsEntry("B", 2);
    }

    @Test
    void updating_needs_an_entity() {
        Sdk.refused(404, "ResourceNotFound", () -> table.updateEntity(entity("absent")));
        Sdk.refused(404, "ResourceNotFound", () -> table.updateEntity(entity("absent"), TableEntityUpdateMode.REPLACE));
    }

    @Test
    void upserting_does_not() {
        table.upsertEntity(entity("r").addProperty("A", 1));
        table.upsertEntityWithResponse(entity("r").addProperty("B", 2), TableEntityUpdateMode.MERGE, null, null);
        assertThat(table.getEntity("p", "r").getProperties())
                .containsEntry("A", 1)
                .containsEntry("B", 2);
        table.upsertEntityWithResponse(entity("r").addProperty("C", 3), TableEntityUpdateMode.REPLACE, null, null);
        assertThat(table.getEntity("p", "r").getProperties())
                .doesNotContainKeys("A", "B")
                .containsEntry("C", 3);
    }

    @Test
    void a_condition_on_the_etag_holds_until_the_next_write() {
        table.createEntity(entity("r").addProperty("V", 1));
        TableEntity read = table.getEntity("p", "r");
        read.addProperty("V", 2);
        Response<Void> updated = table.updateEntityWithResponse(read, TableEntityUpdateMode.REPLACE, true, null, null);
        assertThat(updated.getStatusCode()).isEqualTo(204);
        assertThat(table.getEntity("p", "r").getETag())
                .startsWith(etag(updated))
                .isNotEqualTo(read.getETag());

        read.addProperty("V", 3);
        for (TableEntityUpdateMode mode : List.of(TableEntityUpdateMode.REPLACE, TableEntityUpdateMode.MERGE)) {
            Sdk.refused(
                    412,
                    "UpdateConditionNotSatisfied",
                    () -> table.updateEntityWithResponse(read, mode, true, null, null));
        }
        Sdk.refused(412, "UpdateConditionNotSatisfied", () -> table.deleteEntityWithResponse(read, true, null, null));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(2);
    }

    @Test
    void a_write_that_changes_nothing_makes_a_new_etag() {
        table.createEntity(entity("r").addProperty("V", 1));
        TableEntity before = table.getEntity("p", "r");
        table.updateEntity(entity("r").addProperty("V", 1));
        TableEntity after = table.getEntity("p", "r");
        assertThat(after.getETag()).isNotEqualTo(before.getETag());
        assertThat(after.getTimestamp()).isAfter(before.getTimestamp());
    }

    @Test
    void deleting_works_with_the_etag_and_without() {
        table.createEntity(entity("1"));
        table.createEntity(entity("2"));
        table.createEntity(entity("3"));
        table.deleteEntity("p", "1");
        table.deleteEntity(table.getEntity("p", "2"));
        assertThat(table.deleteEntityWithResponse(table.getEntity("p", "3"), true, null, null)
                        .getStatusCode())
                .isEqualTo(204);
        assertThat(table.listEntities()).isEmpty();
        // This SDK treats a missing entity as deleted.
        assertThat(table.deleteEntityWithResponse(entity("1"), false, null, null)
                        .getStatusCode())
                .isEqualTo(404);
    }

    @Test
    void selecting_returns_what_was_asked_for() {
        table.createEntity(entity("r").addProperty("A", 1).addProperty("B", 2));
        TableEntity read =
                table.getEntityWithResponse("p", "r", List.of("A"), null, null).getValue();
        assertThat(read.getProperties()).containsEntry("A", 1).doesNotContainKey("B");
    }

    @Test
    void keys_may_hold_anything_that_is_permitted() {
        for (String key : List.of("", "it's", "a b", "é漢😀", "%2F", "+&=,;:@$!*()[]{}|~^<>\"`", "%", "''", "a'b'c")) {
            TableEntity entity = new TableEntity(key, key).addProperty("V", key);
            table.createEntity(entity);
            TableEntity read = table.getEntity(key, key);
            assertThat(read.getPartitionKey()).isEqualTo(key);
            assertThat(read.getProperty("V")).isEqualTo(key);
            table.updateEntity(entity.addProperty("W", 1));
            assertThat(Sdk.find(table, "PartitionKey eq '" + key.replace("'", "''") + "'"))
                    .as(key)
                    .hasSize(1);
            table.deleteEntity(key, key);
            Sdk.refused(404, "ResourceNotFound", () -> table.getEntity(key, key));
        }
    }

    @Test
    void the_older_version_of_the_protocol_serves_as_well() {
        TableClient older = Sdk.table()
                .connectionString(server.connectionString())
                .serviceVersion(TableServiceVersion.V2019_02_02)
                .tableName(table.getTableName())
                .buildClient();
        older.upsertEntity(entity("old").addProperty("V", 1));
        assertThat(older.getEntity("p", "old").getProperty("V")).isEqualTo(1);
    }
}
