package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import com.azure.data.tables.sas.TableAccountSasPermission;
import com.azure.data.tables.sas.TableAccountSasResourceType;
import com.azure.data.tables.sas.TableAccountSasService;
import com.azure.data.tables.sas.TableAccountSasSignatureValues;
import com.azure.data.tables.sas.TableSasIpRange;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasProtocol;
import com.azure.data.tables.sas.TableSasSignatureValues;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys, signatures made by the SDK, and stored access policies. */
@ExtendWith(SharedServer.class)
class SdkSharedAccessIT {
    private final TrestleProcess server;
    private final TableServiceClient service;
    private final TableClient table;

    SdkSharedAccessIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.service(server);
        this.table = Sdk.newTable(server);
    }

    private TableClient with(String sas) {
        return Sdk.table()
                .endpoint(server.endpoint())
                .credential(new AzureSasCredential(sas))
                .tableName(table.getTableName())
                .buildClient();
    }

    private TableServiceClient serviceWith(String sas) {
        return Sdk.service()
                .endpoint(server.endpoint())
                .credential(new AzureSasCredential(sas))
                .buildClient();
    }

    private static TableSasSignatureValues tableSas(String permissions) {
        return new TableSasSignatureValues(Sdk.inMinutes(10), TableSasPermission.parse(permissions));
    }

    private static TableAccountSasSignatureValues accountSas(String permissions, String resourceTypes) {
        return new TableAccountSasSignatureValues(
                Sdk.inMinutes(10),
                TableAccountSasPermission.parse(permissions),
                TableAccountSasService.parse("t"),
                TableAccountSasResourceType.parse(resourceTypes));
    }

    @Test
    void a_wrong_key_is_refused() {
        TableServiceClient wrong = Sdk.service()
                .endpoint(server.endpoint())
                .credential(new AzureNamedKeyCredential(TrestleProcess.ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
        Sdk.refused(403, "AuthenticationFailed", () -> wrong.createTable(SharedServer.newTableName()));
    }

    @Test
    void both_keys_of_an_account_are_valid_for_the_same_data() {
        String name = SharedServer.newTableName();
        Sdk.otherService(server, SharedServer.OTHER_KEY_1).createTable(name).createEntity(new TableEntity("p", "r"));
        TableServiceClient second = Sdk.otherService(server, SharedServer.OTHER_KEY_2);
        assertThat(second.getTableClient(name).listEntities()).hasSize(1);
        String sas = second.getTableClient(name).generateSas(tableSas("r"));
        TableClient reader = Sdk.table()
                .endpoint(server.endpoint(SharedServer.OTHER_ACCOUNT))
                .credential(new AzureSasCredential(sas))
                .tableName(name)
                .buildClient();
        assertThat(reader.listEntities()).hasSize(1);
    }

    @Test
    void accounts_do_not_see_each_other() {
        String name = table.getTableName();
        TableServiceClient other = Sdk.otherService(server, SharedServer.OTHER_KEY_1);
        Sdk.refused(404, "TableNotFound", () -> other.getTableClient(name).createEntity(new TableEntity("p", "r")));
        TableServiceClient foreignKey = Sdk.service()
                .endpoint(server.endpoint())
                .credential(new AzureNamedKeyCredential(SharedServer.OTHER_ACCOUNT, SharedServer.OTHER_KEY_1))
                .buildClient();
        Sdk.refused(403, "AuthenticationFailed", () -> foreignKey.createTable(SharedServer.newTableName()));
    }

    @Test
    void a_table_sas_allows_what_it_says() {
        table.createEntity(new TableEntity("p", "r"));
        TableClient reader = with(table.generateSas(tableSas("r")));
        assertThat(reader.getEntity("p", "r").getRowKey()).isEqualTo("r");
        assertThat(reader.listEntities()).hasSize(1);
        TableEntity entity = new TableEntity("p", "new");
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> reader.createEntity(entity));
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> reader.upsertEntity(entity));
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> reader.deleteEntity("p", "r"));

        TableClient adder = with(table.generateSas(tableSas("a")));
        adder.createEntity(entity);
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> adder.getEntity("p", "r"));
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> adder.updateEntity(entity));
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> adder.upsertEntity(entity));

        TableClient writer = with(table.generateSas(tableSas("raud")));
        writer.upsertEntity(entity.addProperty("V", 1));
        writer.updateEntity(entity.addProperty("V", 2));
        assertThat(writer.getEntity("p", "new").getProperty("V")).isEqualTo(2);
        writer.deleteEntity("p", "new");
    }

    @Test
    void a_table_sas_is_for_its_table_only() {
        TableClient other = Sdk.newTable(server);
        String sas = other.generateSas(tableSas("raud"));
        Sdk.refused(403, "AuthorizationFailure", () -> with(sas).createEntity(new TableEntity("p", "r")));
        String renamed = sas.replace("tn=" + other.getTableName(), "tn=" + table.getTableName());
        Sdk.refused(403, "AuthenticationFailed", () -> with(renamed).createEntity(new TableEntity("p", "r")));
    }

    @Test
    void a_table_sas_cannot_create_or_list_tables() {
        String sas = table.generateSas(tableSas("raud"));
        Sdk.refused(403, "AuthorizationFailure", () -> serviceWith(sas).createTable(SharedServer.newTableName()));
        Sdk.refused(
                403,
                "AuthorizationFailure",
                () -> serviceWith(sas).listTables().stream().count());
    }

    @Test
    void key_ranges_bound_every_operation() {
        for (String key : List.of("a1", "b1", "b5", "b9", "c1", "d1")) {
            table.createEntity(new TableEntity(key.substring(0, 1), key.substring(1)));
        }
        TableClient bounded = with(table.generateSas(tableSas("raud")
                .setStartPartitionKey("b")
                .setStartRowKey("5")
                .setEndPartitionKey("c")
                .setEndRowKey("1")));
        assertThat(keys(bounded)).containsExactly("b5", "b9", "c1");
        assertThat(bounded.getEntity("b", "5").getRowKey()).isEqualTo("5");
        Sdk.refused(403, "AuthorizationFailure", () -> bounded.getEntity("b", "1"));
        Sdk.refused(403, "AuthorizationFailure", () -> bounded.createEntity(new TableEntity("a", "7")));
        Sdk.refused(403, "AuthorizationFailure", () -> bounded.upsertEntity(new TableEntity("c", "2")));
        Sdk.refused(403, "AuthorizationFailure", () -> bounded.deleteEntity("d", "1"));
        bounded.createEntity(new TableEntity("b", "7"));
        bounded.deleteEntity("b", "9");
        assertThat(keys(table)).containsExactly("a1", "b1", "b5", "b7", "c1", "d1");
    }

    @Test
    void key_ranges_bound_transactions() {
        TableClient bounded = with(table.generateSas(tableSas("raud")
                .setStartPartitionKey("b")
                .setStartRowKey("5")
                .setEndPartitionKey("b")
                .setEndRowKey("9")));
        assertThat(bounded.submitTransaction(List.of(
                                new TableTransactionAction(
                                        TableTransactionActionType.CREATE, new TableEntity("b", "5")),
                                new TableTransactionAction(
                                        TableTransactionActionType.CREATE, new TableEntity("b", "6"))))
                        .getTransactionActionResponses())
                .hasSize(2);
        TableTransactionFailedException failure = catchThrowableOfType(
                TableTransactionFailedException.class,
                () -> bounded.submitTransaction(List.of(
                        new TableTransactionAction(TableTransactionActionType.CREATE, new TableEntity("b", "7")),
                        new TableTransactionAction(TableTransactionActionType.CREATE, new TableEntity("b", "1")))));
        assertThat(failure.getValue().getErrorCode()).hasToString("AuthorizationFailure");
        assertThat(failure.getFailedTransactionActionIndex()).isEqualTo(1);
        assertThat(keys(table)).containsExactly("b5", "b6");
    }

    private static List<String> keys(TableClient client) {
        return client.listEntities().stream()
                .map(entity -> entity.getPartitionKey() + entity.getRowKey())
                .toList();
    }

    @Test
    void a_sas_counts_within_its_time_source_and_protocol() {
        TableEntity entity = new TableEntity("p", "r");
        String expired = table.generateSas(tableSas("raud").setExpiryTime(Sdk.inMinutes(-1)));
        Sdk.refused(403, "AuthenticationFailed", () -> with(expired).createEntity(entity));
        String early = table.generateSas(tableSas("raud").setStartTime(Sdk.inMinutes(5)));
        Sdk.refused(403, "AuthenticationFailed", () -> with(early).createEntity(entity));
        String elsewhere =
                table.generateSas(tableSas("raud").setSasIpRange(TableSasIpRange.parse("10.0.0.1-10.0.0.9")));
        Sdk.refused(403, "AuthorizationSourceIPMismatch", () -> with(elsewhere).createEntity(entity));
        String encrypted = table.generateSas(tableSas("raud").setProtocol(TableSasProtocol.HTTPS_ONLY));
        Sdk.refused(403, "AuthorizationProtocolMismatch", () -> with(encrypted).createEntity(entity));
        String here = table.generateSas(tableSas("a")
                .setStartTime(Sdk.inMinutes(-5))
                .setSasIpRange(TableSasIpRange.parse("127.0.0.1"))
                .setProtocol(TableSasProtocol.HTTPS_HTTP));
        with(here).createEntity(entity);
    }

    @Test
    void a_changed_sas_is_refused() {
        String sas = table.generateSas(tableSas("r"));
        Sdk.refused(
                403,
                "AuthenticationFailed",
                () -> with(sas.replace("sp=r", "sp=raud")).createEntity(new TableEntity("p", "r")));
    }

    @Test
    void an_account_sas_allows_what_it_says() {
        String name = SharedServer.newTableName();
        TableServiceClient all = serviceWith(service.generateAccountSas(accountSas("rwdlacu", "sco")));
        TableClient created = all.createTable(name);
        created.createEntity(new TableEntity("p", "r"));
        assertThat(created.listEntities()).hasSize(1);
        assertThat(all.listTables()).isNotEmpty();
        assertThat(all.getProperties()).isNotNull();
        all.deleteTable(name);

        TableServiceClient objects = serviceWith(service.generateAccountSas(accountSas("rwdlacu", "o")));
        objects.getTableClient(table.getTableName()).createEntity(new TableEntity("p", "r"));
        Sdk.refused(403, "AuthorizationResourceTypeMismatch", () -> objects.createTable(name));

        TableServiceClient lists = serviceWith(service.generateAccountSas(accountSas("l", "sco")));
        assertThat(lists.listTables()).isNotEmpty();
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> lists.createTable(name));
    }

    @Test
    void an_account_sas_for_another_service_is_refused() {
        String queues = service.generateAccountSas(new TableAccountSasSignatureValues(
                Sdk.inMinutes(10),
                TableAccountSasPermission.parse("rwdlacu"),
                TableAccountSasService.parse("q"),
                TableAccountSasResourceType.parse("sco")));
        Sdk.refused(
                403,
                "AuthorizationServiceMismatch",
                () -> serviceWith(queues).createTable(SharedServer.newTableName()));
    }

    @Test
    void policies_are_stored_and_returned() {
        OffsetDateTime start = OffsetDateTime.parse("2026-01-01T00:00:00Z");
        OffsetDateTime expiry = OffsetDateTime.parse("2036-01-01T00:00:00Z");
        table.setAccessPolicies(List.of(
                new TableSignedIdentifier("full")
                        .setAccessPolicy(new TableAccessPolicy()
                                .setStartsOn(start)
                                .setExpiresOn(expiry)
                                .setPermissions("raud")),
                new TableSignedIdentifier("read").setAccessPolicy(new TableAccessPolicy().setPermissions("r"))));

        List<TableSignedIdentifier> stored = table.getAccessPolicies().getIdentifiers();
        assertThat(stored).extracting(TableSignedIdentifier::getId).containsExactly("full", "read");
        TableAccessPolicy full = stored.get(0).getAccessPolicy();
        assertThat(full.getStartsOn()).isEqualTo(start);
        assertThat(full.getExpiresOn()).isEqualTo(expiry);
        assertThat(full.getPermissions()).isEqualTo("raud");

        assertThat(table.setAccessPoliciesWithResponse(List.of(), null, null).getStatusCode())
                .isEqualTo(204);
        assertThat(table.getAccessPolicies().getIdentifiers()).isNullOrEmpty();
    }

    @Test
    void there_are_at_most_five_policies() {
        List<TableSignedIdentifier> six = List.of("1", "2", "3", "4", "5", "6").stream()
                .map(id -> new TableSignedIdentifier(id).setAccessPolicy(new TableAccessPolicy().setPermissions("r")))
                .toList();
        Sdk.refused(400, "InvalidXmlDocument", () -> table.setAccessPolicies(six));
        table.setAccessPolicies(six.subList(0, 5));
        assertThat(table.getAccessPolicies().getIdentifiers()).hasSize(5);
    }

    @Test
    void a_sas_by_policy_is_revoked_at_once() {
        TableClient bearer = with(table.generateSas(new TableSasSignatureValues("policy")));
        Sdk.refused(403, "AuthenticationFailed", () -> bearer.getEntity("p", "r"));

        setPolicy("r", 10);
        assertThat(bearer.listEntities()).isEmpty();
        Sdk.refused(403, "AuthorizationPermissionMismatch", () -> bearer.createEntity(new TableEntity("p", "r")));

        setPolicy("ra", 10);
        bearer.createEntity(new TableEntity("p", "r"));

        setPolicy("ra", -1);
        Sdk.refused(403, "AuthenticationFailed", () -> bearer.getEntity("p", "r"));

        setPolicy("ra", 10);
        assertThat(bearer.listEntities()).hasSize(1);
        table.setAccessPolicies(List.of());
        Sdk.refused(403, "AuthenticationFailed", () -> bearer.getEntity("p", "r"));
    }

    private void setPolicy(String permissions, int expiresInMinutes) {
        table.setAccessPolicies(List.of(new TableSignedIdentifier("policy")
                .setAccessPolicy(new TableAccessPolicy()
                        .setStartsOn(Sdk.inMinutes(-60))
                        .setExpiresOn(Sdk.inMinutes(expiresInMinutes))
                        .setPermissions(permissions))));
    }
}
