package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.core.util.polling.LongRunningOperationStatus;
import com.azure.core.util.polling.SyncPoller;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobBeginCopySourceRequestConditions;
import com.azure.storage.blob.models.BlobCopyInfo;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.BlockListType;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.options.BlobBeginCopyOptions;
import com.azure.storage.blob.options.BlobCopyFromUrlOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.blob.specialized.AppendBlobClient;
import com.azure.storage.blob.specialized.BlobClientBase;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Blobs made of other blobs of the same server. */
@ExtendWith(SharedServer.class)
class SdkBlobCopyIT {
    private static final int BYTES = 3 << 20;

    private final TrestleProcess server;
    private final BlobContainerClient container;
    private final BlobClient source;
    private final BlobClient target;
    private final byte[] content = new byte[BYTES];

    SdkBlobCopyIT(TrestleProcess server) {
        this.server = server;
        this.container = Sdk.newContainer(server);
        this.source = container.getBlobClient("from/source.jpg");
        this.target = container.getBlobClient("to/target.jpg");
        new Random(1).nextBytes(content);
        source.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromBytes(content))
                        .setHeaders(new BlobHttpHeaders().setContentType("image/jpeg"))
                        .setMetadata(Map.of("emp", "0099")),
                null,
                null);
    }

    private static String signed(BlobClientBase blob) {
        return blob.getBlobUrl()
                + (blob.isSnapshot() ? "&" : "?")
                + blob.generateSas(new BlobServiceSasSignatureValues(
                        OffsetDateTime.now(ZoneOffset.UTC).plusMinutes(10),
                        new BlobSasPermission().setReadPermission(true)));
    }

    private BlobCopyInfo copy(String url) {
        SyncPoller<BlobCopyInfo, Void> poller = target.beginCopy(url, Duration.ofMillis(10));
        var last = poller.waitForCompletion(Duration.ofSeconds(20));
        assertThat(last.getStatus()).isEqualTo(LongRunningOperationStatus.SUCCESSFULLY_COMPLETED);
        return last.getValue();
    }

    @Test
    void a_copy_has_the_content_properties_and_metadata_of_its_source() {
        BlobCopyInfo info = copy(source.getBlobUrl());
        assertThat(Sdk.bytes(target)).isEqualTo(content);
        BlobProperties properties = target.getProperties();
        assertThat(properties.getContentType()).isEqualTo("image/jpeg");
        assertThat(properties.getMetadata()).isEqualTo(Map.of("emp", "0099"));
        assertThat(properties.getContentMd5()).isEqualTo(source.getProperties().getContentMd5());
        assertThat(properties.getCopyStatus()).isEqualTo(CopyStatusType.SUCCESS);
        assertThat(properties.getCopyId()).isEqualTo(info.getCopyId());
        assertThat(properties.getCopySource()).isEqualTo(source.getBlobUrl());
        assertThat(properties.getCopyProgress()).isEqualTo(BYTES + "/" + BYTES);
        Sdk.refused(409, "NoPendingCopyOperation", () -> target.abortCopyFromUrl(info.getCopyId()));

        source.delete();
        assertThat(Sdk.bytes(target)).isEqualTo(content);
        target.setMetadata(Map.of());
        assertThat(target.getProperties().getCopyId()).isNull();
    }

    @Test
    void a_copy_may_have_metadata_of_its_own_and_conditions() {
        target.beginCopy(new BlobBeginCopyOptions(source.getBlobUrl()).setMetadata(Map.of("copy", "1")))
                .waitForCompletion();
        assertThat(target.getProperties().getMetadata()).isEqualTo(Map.of("copy", "1"));
        BlobBeginCopyOptions guarded = new BlobBeginCopyOptions(source.getBlobUrl())
                .setDestinationRequestConditions(new BlobRequestConditions().setIfNoneMatch("*"));
        Sdk.refused(409, "BlobAlreadyExists", () -> target.beginCopy(guarded).poll());
        BlobBeginCopyOptions stale = new BlobBeginCopyOptions(source.getBlobUrl())
                .setSourceRequestConditions(new BlobBeginCopySourceRequestConditions().setIfMatch("0x8D0"));
        Sdk.refused(412, "SourceConditionNotMet", () -> target.beginCopy(stale).poll());
    }

    @Test
    void a_snapshot_is_promoted_by_copying_it_over_its_blob() {
        BlobClientBase snapshot = source.createSnapshot();
        source.upload(BinaryData.fromString("spoiled"), true);
        source.copyFromUrl(signed(snapshot.getSnapshotClient(snapshot.getSnapshotId())));
        assertThat(Sdk.bytes(source)).isEqualTo(content);
        assertThat(Sdk.bytes(snapshot)).isEqualTo(content);
    }

    @Test
    void a_copy_is_done_at_once_when_asked_to() {
        String id = target.copyFromUrl(signed(source));
        assertThat(id).isNotEmpty();
        assertThat(Sdk.bytes(target)).isEqualTo(content);
        assertThat(target.getProperties().getCopySource()).doesNotContain("sig=");
        target.copyFromUrlWithResponse(
                new BlobCopyFromUrlOptions(signed(source)).setMetadata(Map.of("a", "b")), null, null);
        assertThat(target.getProperties().getMetadata()).isEqualTo(Map.of("a", "b"));
    }

    @Test
    void a_blob_is_put_from_an_address() {
        BlockBlobClient blocks = target.getBlockBlobClient();
        blocks.uploadFromUrl(signed(source));
        assertThat(Sdk.bytes(target)).isEqualTo(content);
        assertThat(target.getProperties().getContentType()).isEqualTo("image/jpeg");
        Sdk.refused(409, "BlobAlreadyExists", () -> blocks.uploadFromUrl(signed(source)));
        blocks.uploadFromUrl(signed(source), true);
    }

    @Test
    void blocks_are_staged_from_parts_of_another_blob() {
        BlockBlobClient blocks = target.getBlockBlobClient();
        blocks.stageBlockFromUrl("AAAA", signed(source), new BlobRange(100, 1000L));
        blocks.stageBlockFromUrl("BBBB", signed(source), new BlobRange(BYTES - 10));
        assertThat(blocks.listBlocks(BlockListType.UNCOMMITTED).getUncommittedBlocks())
                .hasSize(2);
        blocks.commitBlockList(List.of("BBBB", "AAAA"));
        byte[] copied = Sdk.bytes(target);
        assertThat(copied).hasSize(1010);
        assertThat(Arrays.copyOf(copied, 10)).isEqualTo(Arrays.copyOfRange(content, BYTES - 10, BYTES));
        assertThat(Arrays.copyOfRange(copied, 10, 1010)).isEqualTo(Arrays.copyOfRange(content, 100, 1100));
    }

    @Test
    void parts_of_another_blob_are_appended() {
        AppendBlobClient log = target.getAppendBlobClient();
        log.create();
        log.appendBlock(new ByteArrayInputStream(new byte[] {1}), 1);
        log.appendBlockFromUrl(signed(source), new BlobRange(0, 2000L));
        byte[] copied = Sdk.bytes(log);
        assertThat(copied).hasSize(2001);
        assertThat(Arrays.copyOfRange(copied, 1, 2001)).isEqualTo(Arrays.copyOf(content, 2000));
    }

    @Test
    void a_copy_keeps_the_type_and_does_not_change_one() {
        AppendBlobClient log = container.getBlobClient("log").getAppendBlobClient();
        log.create();
        log.appendBlock(new ByteArrayInputStream(new byte[] {1, 2}), 2);
        copy(log.getBlobUrl());
        assertThat(target.getProperties().getBlobType()).isEqualTo(BlobType.APPEND_BLOB);
        target.getAppendBlobClient().appendBlock(new ByteArrayInputStream(new byte[] {3}), 1);
        assertThat(Sdk.bytes(target)).containsExactly(1, 2, 3);
        assertThat(Sdk.bytes(log)).containsExactly(1, 2);
        Sdk.refused(
                409,
                "InvalidBlobType",
                () -> target.beginCopy(source.getBlobUrl(), null).poll());
    }

    @Test
    void other_servers_are_not_asked() {
        for (String url : List.of(
                "http://example.com/account/container/blob",
                "http://127.0.0.1:1/" + TrestleProcess.ACCOUNT + "/c/b",
                "http://169.254.169.254/latest/meta-data")) {
            Sdk.refused(404, "CannotVerifyCopySource", () -> target.copyFromUrl(url));
            Sdk.refused(
                    404,
                    "CannotVerifyCopySource",
                    () -> target.getBlockBlobClient().stageBlockFromUrl("AAAA", url, new BlobRange(0)));
        }
        assertThat(target.exists()).isFalse();
    }

    @Test
    void a_source_of_another_account_has_to_be_signed() {
        BlobServiceClient other = Sdk.otherBlobService(server, SharedServer.OTHER_KEY_1);
        BlobClient foreign =
                other.createBlobContainer(SharedServer.newContainerName()).getBlobClient("foreign");
        foreign.upload(BinaryData.fromString("theirs"));
        Sdk.refused(401, "CannotVerifyCopySource", () -> target.copyFromUrl(foreign.getBlobUrl()));
        target.copyFromUrl(signed(foreign));
        assertThat(target.downloadContent()).hasToString("theirs");
    }

    @Test
    void a_source_at_a_url_of_the_same_account_has_to_be_signed_too() {
        Sdk.refused(401, "CannotVerifyCopySource", () -> target.copyFromUrl(source.getBlobUrl()));
        Sdk.refused(
                401, "CannotVerifyCopySource", () -> target.getBlockBlobClient().uploadFromUrl(source.getBlobUrl()));
        assertThat(target.exists()).isFalse();
    }

    @Test
    void a_source_that_is_not_there_is_said_so() {
        String url = signed(container.getBlobClient("none"));
        Sdk.refused(404, "CannotVerifyCopySource", () -> target.copyFromUrl(url));
        assertThat(target.exists()).isFalse();
    }
}
