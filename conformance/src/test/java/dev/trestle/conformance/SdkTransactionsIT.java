package dev.trestle.conformance;

import static com.azure.data.tables.models.TableTransactionActionType.CREATE;
import static com.azure.data.tables.models.TableTransactionActionType.DELETE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_MERGE;
import static com.azure.data.tables.models.TableTransactionActionType.UPDATE_REPLACE;
import static com.azure.data.tables.models.TableTransactionActionType.UPSERT_MERGE;
import static com.azure.data.tables.models.TableTransactionActionType.UPSERT_REPLACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionResponse;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import com.azure.data.tables.models.TableTransactionResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SharedServer.class)
class SdkTransactionsIT {
    private final TrestleProcess server;
    private final TableClient table;

    SdkTransactionsIT(TrestleProcess server) {
        this.server = server;
        this.table = Sdk.newTable(server);
    }

    private static TableTransactionAction action(TableTransactionActionType type, String rowKey) {
        return new TableTransactionAction(type, new TableEntity("p", rowKey).addProperty("By", type.name()));
    }

    @Test
    void every_kind_of_operation_may_be_part_of_one() {
        for (String rowKey : List.of("merged", "replaced", "upmerged", "upreplaced", "deleted")) {
            table.createEntity(new TableEntity("p", rowKey).addProperty("Before", 1));
        }
        TableTransactionResult result = table.submitTransaction(List.of(
                action(CREATE, "created"),
                action(UPDATE_MERGE, "merged"),
                action(UPDATE_REPLACE, "replaced"),
                action(UPSERT_MERGE, "upmerged"),
                action(UPSERT_REPLACE, "upreplaced"),
                action(UPSERT_MERGE, "upmerged new"),
                action(UPSERT_REPLACE, "upreplaced new"),
                action(DELETE, "deleted")));

        assertThat(result.getTransactionActionResponses())
                .extracting(TableTransactionActionResponse::getStatusCode)
                .containsOnly(204)
                .hasSize(8);
        assertThat(result.getTableTransactionActionResponseByRowKey("created").getStatusCode())
                .isEqualTo(204);
        assertThat(Sdk.rowKeys(table, "Before eq 1")).containsExactly("merged", "upmerged");
        assertThat(table.listEntities().stream().map(entity -> entity.getRowKey() + " by " + entity.getProperty("By")))
                .containsExactly(
                        "created by CREATE",
                        "merged by UPDATE_MERGE",
                        "replaced by UPDATE_REPLACE",
                        "upmerged by UPSERT_MERGE",
                        "upmerged new by UPSERT_MERGE",
                        "upreplaced by UPSERT_REPLACE",
                        "upreplaced new by UPSERT_REPLACE");
    }

    @ParameterizedTest
    @EnumSource(TableTransactionActionType.class)
    void one_of_a_single_operation_is_one(TableTransactionActionType type) {
        boolean needsEntity = type == UPDATE_MERGE || type == UPDATE_REPLACE || type == DELETE;
        if (needsEntity) {
            table.createEntity(new TableEntity("p", "r"));
        }
        table.submitTransaction(List.of(action(type, "r")));
        assertThat(table.listEntities()).hasSize(type == DELETE ? 0 : 1);
    }

    @Test
    void a_failure_names_its_operation_and_undoes_the_others() {
        table.createEntity(new TableEntity("p", "there").addProperty("V", 1));
        TableTransactionFailedException failure = failure(List.of(
                action(CREATE, "new"),
                action(UPSERT_REPLACE, "there"),
                action(UPDATE_MERGE, "absent"),
                action(CREATE, "newer")));
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(2);
        assertThat(failure.getValue().getErrorCode()).hasToString("ResourceNotFound");
        assertThat(table.listEntities().stream().map(TableEntity::getRowKey)).containsExactly("there");
        assertThat(table.getEntity("p", "there").getProperty("V")).isEqualTo(1);
    }

    @Test
    void an_insert_of_what_exists_fails_at_its_index() {
        table.createEntity(new TableEntity("p", "2"));
        TableTransactionFailedException failure =
                failure(List.of(action(CREATE, "0"), action(CREATE, "1"), action(CREATE, "2")));
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(2);
        assertThat(failure.getValue().getErrorCode()).hasToString("EntityAlreadyExists");
        assertThat(table.listEntities()).hasSize(1);
    }

    @Test
    void a_stale_etag_fails_the_whole() {
        table.createEntity(new TableEntity("p", "r").addProperty("V", 1));
        TableEntity stale = table.getEntity("p", "r");
        table.updateEntity(new TableEntity("p", "r").addProperty("V", 2));
        stale.addProperty("V", 3);
        TableTransactionFailedException failure =
                failure(List.of(action(CREATE, "new"), new TableTransactionAction(UPDATE_REPLACE, stale, true)));
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(1);
        assertThat(failure.getValue().getErrorCode()).hasToString("UpdateConditionNotSatisfied");
        assertThat(table.listEntities()).hasSize(1);
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(2);
    }

    @Test
    void the_current_etag_passes() {
        table.createEntity(new TableEntity("p", "r").addProperty("V", 1));
        TableEntity read = table.getEntity("p", "r").addProperty("V", 2);
        table.submitTransaction(List.of(new TableTransactionAction(UPDATE_REPLACE, read, true)));
        assertThat(table.getEntity("p", "r").getProperty("V")).isEqualTo(2);
    }

    @Test
    void a_hundred_operations_are_the_most() {
        table.submitTransaction(creations(100));
        assertThat(table.listEntities()).hasSize(100);

        TableClient other = Sdk.newTable(server);
        TableTransactionFailedException failure = catchThrowableOfType(
                TableTransactionFailedException.class, () -> other.submitTransaction(creations(101)));
        assertThat(failure.getValue().getErrorCode()).hasToString("InvalidInput");
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(99);
        assertThat(other.listEntities()).isEmpty();
    }

    private static List<TableTransactionAction> creations(int count) {
        List<TableTransactionAction> actions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            actions.add(action(CREATE, String.format("%03d", i)));
        }
        return actions;
    }

    @Test
    void an_entity_appears_once() {
        TableTransactionFailedException failure =
                failure(List.of(action(CREATE, "a"), action(CREATE, "b"), action(UPSERT_MERGE, "a")));
        assertThat(failure.getValue().getErrorCode()).hasToString("InvalidDuplicateRow");
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(2);
        assertThat(table.listEntities()).isEmpty();
    }

    @Test
    void all_are_in_one_partition() {
        TableTransactionFailedException failure =
                failure(List.of(action(CREATE, "a"), new TableTransactionAction(CREATE, new TableEntity("q", "b"))));
        assertThat(failure.getValue().getErrorCode()).hasToString("CommandsInBatchActOnDifferentPartitions");
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(1);
        assertThat(table.listEntities()).isEmpty();
    }

    @Test
    void the_table_must_exist() {
        TableClient absent = Sdk.service(server).getTableClient(SharedServer.newTableName());
        TableTransactionFailedException failure = catchThrowableOfType(
                TableTransactionFailedException.class, () -> absent.submitTransaction(creations(2)));
        assertThat(failure.getValue().getErrorCode()).hasToString("TableNotFound");
    }

    @Test
    void awkward_keys_and_values_pass_through_the_multipart() {
        String awkward = "it's é漢😀 %27 --batch_ \"q\"";
        TableEntity entity = new TableEntity(awkward, awkward)
                .addProperty("Text", "\r\n--changeset_\r\n\r\nHTTP/1.1 500 No\r\n")
                .addProperty("Big", Long.MIN_VALUE)
                .addProperty("Raw", new byte[] {0, 13, 10, 45, 45});
        table.submitTransaction(List.of(new TableTransactionAction(CREATE, entity)));
        table.submitTransaction(List.of(new TableTransactionAction(UPDATE_MERGE, entity.addProperty("More", 1))));
        assertThat(table.getEntity(awkward, awkward).getProperties())
                .containsEntry("Text", "\r\n--changeset_\r\n\r\nHTTP/1.1 500 No\r\n")
                .containsEntry("Big", Long.MIN_VALUE)
                .containsEntry("Raw", new byte[] {0, 13, 10, 45, 45})
                .containsEntry("More", 1);
        table.submitTransaction(List.of(new TableTransactionAction(DELETE, entity)));
        assertThat(table.listEntities()).isEmpty();
    }

    private TableTransactionFailedException failure(List<TableTransactionAction> actions) {
        return catchThrowableOfType(TableTransactionFailedException.class, () -> table.submitTransaction(actions));
    }
}
