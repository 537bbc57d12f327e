package dev.trestle.patterns.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import dev.trestle.launcher.DevelopmentAccount;
import dev.trestle.launcher.ServerProcess;
import dev.trestle.patterns.WithTrestle;
import dev.trestle.patterns.access.TableAccess.Rights;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signatures that grant access to exactly their key range. */
@ExtendWith(WithTrestle.class)
class TableAccessIT {
    private static final List<String> PARTITIONS = List.of("alice", "alice2", "bob", "carol");
    private static final List<String> ROWS = List.of("1", "2", "3");

    private static final AzureNamedKeyCredential ACCOUNT =
            new AzureNamedKeyCredential(DevelopmentAccount.NAME, DevelopmentAccount.KEY);

    private final ServerProcess server;
    private final TableClient owner;

    TableAccessIT(ServerProcess server) {
        this.server = server;
        owner = WithTrestle.newTable(server);
        PARTITIONS.forEach(partition -> ROWS.forEach(row -> owner.createEntity(new TableEntity(partition, row))));
    }

    private TableClient holder(KeyRange range, Rights rights) {
        String sas = TableAccess.to(owner.getTableName(), ACCOUNT)
                .alsoOverHttp()
                .sign(range, rights, Instant.now().plusSeconds(600));
        return new TableClientBuilder()
                .endpoint(server.endpoint("Table"))
                .tableName(owner.getTableName())
                .credential(new AzureSasCredential(sas))
                .buildClient();
    }

    /** Asserts which entities a signature allows to read and write, by trying all of them. */
    private void assertOpens(KeyRange range, String... expected) {
        TableClient holder = holder(range, Rights.all());
        TreeSet<String> read = new TreeSet<>();
        TreeSet<String> written = new TreeSet<>();
        for (String partition : PARTITIONS) {
            for (String row : ROWS) {
                String name = partition + "/" + row;
                tried(() -> holder.getEntity(partition, row), read, name);
                tried(() -> holder.upsertEntity(new TableEntity(partition, row).addProperty("N", 1)), written, name);
            }
        }
        assertThat(read).containsExactly(expected);
        assertThat(written).containsExactly(expected);
        assertThat(holder.listEntities().stream().map(entity -> entity.getPartitionKey() + "/" + entity.getRowKey()))
                .containsExactly(expected);
    }

    private static void tried(Runnable call, Set<String> opened, String name) {
        try {
            call.run();
            opened.add(name);
        } catch (TableServiceException e) {
            assertThat(e.getResponse().getStatusCode()).isIn(403, 404);
        }
    }

    @Test
    void a_partition_is_opened_and_not_those_whose_names_begin_alike() {
        assertOpens(KeyRange.partition("alice"), "alice/1", "alice/2", "alice/3");
    }

    @Test
    void partitions_from_one_to_another_are_opened() {
        assertOpens(
                KeyRange.partitions("alice2", "bob"), "alice2/1", "alice2/2", "alice2/3", "bob/1", "bob/2", "bob/3");
    }

    @Test
    void rows_of_a_partition_are_opened() {
        assertOpens(KeyRange.rows("bob", "2", "3"), "bob/2", "bob/3");
    }

    @Test
    void a_signature_for_reading_does_not_write() {
        TableClient reader = holder(KeyRange.partition("bob"), Rights.readOnly());
        assertThat(reader.getEntity("bob", "1").getRowKey()).isEqualTo("1");
        assertThatThrownBy(() -> reader.deleteEntity("bob", "1")).isInstanceOf(TableServiceException.class);
        assertThatThrownBy(() -> new KeyRange(Optional.empty(), Optional.of("1"), Optional.empty(), Optional.empty()))
                .hasMessageContaining("needs the partition key");
    }
}
