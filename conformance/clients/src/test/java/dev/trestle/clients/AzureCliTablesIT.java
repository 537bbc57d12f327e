package dev.trestle.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code az storage table} and {@code az storage entity}. */
class AzureCliTablesIT {
    @TempDir
    private Path folder;

    private Server server;
    private AzureCli az;

    @BeforeEach
    void start() {
        server = Server.start("azure-cli-tables");
        az = AzureCli.of(server, folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tables_are_made_listed_and_deleted() {
        assertThat(az.run("table create -n orders")).isEqualTo("True");
        assertThat(az.fails("table create -n orders --fail-on-exist")).contains("TableAlreadyExists");
        az.run("table create -n customers");
        assertThat(az.lines("table list --query [].name")).containsExactly("customers", "orders");
        az.run("table policy create -t orders -n readers --permissions r --start 2020-01-01T00:00Z"
                + " --expiry 2099-01-01T00:00Z");
        assertThat(az.run("table policy show -t orders -n readers --query permission"))
                .isEqualTo("r");
        assertThat(az.run("table exists -n orders")).isEqualTo("True");
        assertThat(az.run("table delete -n orders")).isEqualTo("True");
        assertThat(az.run("table exists -n orders")).isEqualTo("False");
    }

    @Test
    void entities_are_inserted_merged_replaced_and_deleted() {
        az.run("table create -n orders");
        String key = " --partition-key eu --row-key 42";
        az.run(
                "entity insert -t orders --entity PartitionKey=eu RowKey=42 Total=7 Total@odata.type=Edm.Int32",
                "Text=grün & 'quoted' 水 🚀",
                "Open=true",
                "Open@odata.type=Edm.Boolean");
        assertThat(az.run("entity show -t orders" + key + " --query [Total,Open,Text]")
                        .lines())
                .containsExactly("7", "true", "grün & 'quoted' 水 🚀");
        assertThat(az.fails("entity insert -t orders --entity PartitionKey=eu RowKey=42"))
                .contains("The specified entity already exists.");
        az.run("entity merge -t orders --entity PartitionKey=eu RowKey=42 Total=8 Total@odata.type=Edm.Int32");
        assertThat(az.lines("entity show -t orders" + key + " --query [Total,Open]"))
                .containsExactly("8", "true");
        az.run("entity replace -t orders --entity PartitionKey=eu RowKey=42 Total=9 Total@odata.type=Edm.Int32");
        assertThat(az.lines("entity show -t orders" + key + " --query [Total,Open]"))
                .containsExactly("9", "None");
        az.run("entity insert -t orders --if-exists replace --entity PartitionKey=eu RowKey=42 Total=10");
        az.run("entity insert -t orders --if-exists merge --entity PartitionKey=eu RowKey=42 Other=x");
        assertThat(az.lines("entity show -t orders" + key + " --query [Total,Other]"))
                .containsExactly("10", "x");
        az.run("entity delete -t orders" + key);
        assertThat(az.fails("entity show -t orders" + key)).contains("ResourceNotFound");
    }

    @Test
    void queries_filter_select_and_page() {
        az.run("table create -n orders");
        for (int i = 0; i < 5; i++) {
            az.run("entity insert -t orders --entity PartitionKey=eu RowKey=" + i + " Total=" + i
                    + " Total@odata.type=Edm.Int32");
        }
        assertThat(az.lines(
                        "entity query -t orders --query items[].RowKey",
                        "--filter",
                        "PartitionKey eq 'eu' and Total gt 2"))
                .containsExactly("3", "4");
        assertThat(az.lines("entity query -t orders --select Total --num-results 1 --query items[].Total"))
                .containsExactly("0");
        assertThat(az.lines("entity query -t orders --num-results 2 --query items[].RowKey"))
                .containsExactly("0", "1");
        String[] next = az.run(
                        "entity query -t orders --num-results 2 --query nextMarker.[nextpartitionkey,nextrowkey]")
                .split("\\s+", -1);
        assertThat(az.lines("entity query -t orders --num-results 2 --query items[].RowKey --marker nextpartitionkey="
                        + next[0] + " nextrowkey=" + next[1]))
                .containsExactly("2", "3");
    }

    @Test
    void a_signature_opens_a_table_for_reading() {
        az.run("table create -n orders");
        az.run("entity insert -t orders --entity PartitionKey=eu RowKey=1");
        String access = " --table-endpoint " + server.tableEndpoint(Server.ACCOUNT) + " --sas-token "
                + az.run("table generate-sas -n orders --permissions r --expiry 2099-01-01T00:00Z");
        AzureCli guest = AzureCli.withoutCredentials(folder);
        assertThat(guest.run("entity query -t orders --query items[].RowKey" + access))
                .isEqualTo("1");
        assertThat(guest.fails("entity insert -t orders --entity PartitionKey=eu RowKey=2" + access))
                .contains(AzureCli.NOT_PERMITTED);
    }
}
