package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.util.BinaryData;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableSignedIdentifier;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.sas.TableSasSignatureValues;
import com.azure.storage.blob.BlobContainerClient;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several servers on one HBase cluster, and the way there from a folder. */
class ClusterIT {
    @TempDir
    private Path folder;

    @Test
    void a_folder_is_copied_with_etags_and_times_and_contents_and_both_are_compared() {
        byte[] large = new byte[700_000];
        new Random(1).nextBytes(large);
        List<TableEntity> before;
        try (TrestleProcess server = TrestleProcess.on(folder)) {
            before = fill(Sdk.service(server).createTable("moved"));
            BlobContainerClient container = Sdk.blobService(server).createBlobContainer("moved");
            container.getBlobClient("large").upload(BinaryData.fromBytes(large));
            container.getBlobClient("small").upload(BinaryData.fromString("small"));
            Sdk.queueService(server).createQueue("moved").sendMessage("work");
        }
        TrestleProcess.Ended copy = copy();
        assertThat(copy.output())
                .contains("Copied 700,000 bytes of contents", "Both hold the same: ", "Scrubbed 2 contents");
        assertThat(copy.code()).isZero();
        assertThat(copy().output()).contains("The namespace holds data already.");
        try (TrestleProcess server = SharedCluster.frontEnd("moved")) {
            assertSame(Sdk.find(Sdk.service(server).getTableClient("moved"), ""), before);
            BlobContainerClient container = Sdk.blobService(server).getBlobContainerClient("moved");
            assertThat(Sdk.bytes(container.getBlobClient("large"))).isEqualTo(large);
            assertThat(Sdk.bytes(container.getBlobClient("small"))).asString().isEqualTo("small");
            assertThat(Sdk.queueService(server)
                            .getQueueClient("moved")
                            .receiveMessage()
                            .getBody()
                            .toString())
                    .isEqualTo("work");
        }
    }

    private static List<TableEntity> fill(TableClient table) {
        for (int partition = 0; partition < 25; partition++) {
            List<TableTransactionAction> inserts = new ArrayList<>();
            for (int row = 0; row < 100; row++) {
                inserts.add(new TableTransactionAction(
                        TableTransactionActionType.CREATE,
                        new TableEntity("p" + partition, "r" + row)
                                .addProperty("Text", "row " + row)
                                .addProperty("A", row)
                                .addProperty("Real", row / 8.0)));
            }
            table.submitTransaction(inserts);
        }
        return Sdk.find(table, "");
    }

    private TrestleProcess.Ended copy() {
        return TrestleProcess.runByLauncher(
                "copy",
                "--data",
                folder.toString(),
                "--hbase-quorum",
                SharedCluster.quorum(),
                "--hbase-namespace",
                "moved",
                "--hbase-content-dir",
                SharedCluster.contentFolder());
    }

    private static void assertSame(List<TableEntity> after, List<TableEntity> before) {
        assertThat(after).hasSize(2500);
        for (int i = 0; i < after.size(); i++) {
            TableEntity then = before.get(i);
            TableEntity now = after.get(i);
            assertThat(now.getRowKey()).isEqualTo(then.getRowKey());
            assertThat(now.getETag()).isEqualTo(then.getETag());
            assertThat(now.getTimestamp()).isEqualTo(then.getTimestamp());
            for (String property : List.of("Text", "A", "Real")) {
                assertThat(now.getProperty(property)).isEqualTo(then.getProperty(property));
            }
        }
    }

    @Test
    void what_one_server_changes_others_see_within_seconds() {
        try (TrestleProcess one = SharedCluster.frontEnd("shared");
                TrestleProcess other = SharedCluster.frontEnd("shared")) {
            TableClient here = Sdk.service(one).createTable("common");
            TableClient there = Sdk.service(other).getTableClient("common");
            there.createEntity(new TableEntity("p", "r").addProperty("N", 1));
            assertThat(here.getEntity("p", "r").getProperty("N")).isEqualTo(1);

            here.setAccessPolicies(List.of(new TableSignedIdentifier("reader")
                    .setAccessPolicy(new TableAccessPolicy()
                            .setPermissions("r")
                            .setExpiresOn(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)))));
            String signature = there.generateSas(new TableSasSignatureValues("reader"));
            TableClient reader = Sdk.table()
                    .endpoint(other.endpoint())
                    .credential(new AzureSasCredential(signature))
                    .tableName("common")
                    .buildClient();
            Deadline.await(() -> "the policy", () -> allows(reader));
            here.setAccessPolicies(List.of());
            Deadline.await(() -> "that it is revoked", () -> !allows(reader));

            here.deleteTable();
            Deadline.await(() -> "that the table is gone", () -> isGone(there));
        }
    }

    private static boolean allows(TableClient reader) {
        try {
            reader.getEntity("p", "r");
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static boolean isGone(TableClient table) {
        try {
            table.getEntity("p", "r");
            return false;
        } catch (RuntimeException e) {
            return true;
        }
    }
}
