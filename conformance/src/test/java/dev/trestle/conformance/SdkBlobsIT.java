package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.Block;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.models.BlockList;
import com.azure.storage.blob.models.BlockListType;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlobClientBase;
import com.azure.storage.blob.specialized.BlobInputStream;
import com.azure.storage.blob.specialized.BlobOutputStream;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Block blobs, written, read, described and deleted. */
@ExtendWith(SharedServer.class)
class SdkBlobsIT {
    private static final int MIB = 1 << 20;

    private final TrestleProcess server;
    private final BlobContainerClient container;
    private final BlobClient blob;
    private final BlockBlobClient blocks;

    SdkBlobsIT(TrestleProcess server) {
        this.server = server;
        this.container = Sdk.newContainer(server);
        this.blob = container.getBlobClient("blob");
        this.blocks = blob.getBlockBlobClient();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String id(int number) {
        return Base64.getEncoder().encodeToString(utf8("block-%05d".formatted(number)));
    }

    private static byte[] md5(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("MD5").digest(bytes);
    }

    private static BlobRequestConditions ifMatch(String etag) {
        return new BlobRequestConditions().setIfMatch(etag);
    }

    @Test
    void contents_of_every_size_come_back_as_they_went_in() {
        for (int length : new int[] {0, 1, 2, 4095, 4096, 65_535, 65_536, 65_537, MIB, 4 * MIB, 4 * MIB + 1, 9 * MIB}) {
            byte[] content = random(length);
            BlobClient sized = container.getBlobClient("of-" + length);
            sized.upload(BinaryData.fromBytes(content));
            assertThat(Sdk.bytes(sized)).as("%s bytes", length).isEqualTo(content);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            sized.downloadStream(out);
            assertThat(out.toByteArray()).as("%s bytes in a stream", length).isEqualTo(content);
            assertThat(sized.getProperties().getBlobSize()).isEqualTo(length);
        }
    }

    @Test
    void an_empty_blob_and_one_of_a_byte_go_to_files(@TempDir Path folder) throws IOException {
        for (int length : new int[] {0, 1}) {
            BlobClient sized = container.getBlobClient("file-" + length);
            Path source = Files.write(folder.resolve("source-" + length), random(length));
            sized.uploadFromFile(source.toString());
            Path target = folder.resolve("target-" + length);
            // Asks for a range first, which an empty blob has none of, and then in a way that is no range.
            sized.downloadToFile(target.toString());
            assertThat(target).hasSameBinaryContentAs(source);
            try (BlobInputStream in = sized.openInputStream()) {
                assertThat(in.readAllBytes()).isEqualTo(random(length));
            }
        }
    }

    @Test
    void a_large_file_goes_in_and_out_in_parallel_blocks(@TempDir Path folder) throws IOException {
        Path source = Files.write(folder.resolve("source"), random(64 * MIB + 12_345));
        ParallelTransferOptions in = new ParallelTransferOptions()
                .setBlockSizeLong((long) MIB)
                .setMaxSingleUploadSizeLong((long) MIB)
                .setMaxConcurrency(8);
        blob.uploadFromFile(source.toString(), in, null, Map.of("kind", "large"), null, null, null);
        assertThat(blocks.listBlocks(BlockListType.ALL).getCommittedBlocks()).hasSize(65);
        assertThat(blocks.listBlocks(BlockListType.ALL).getUncommittedBlocks()).isEmpty();
        Path target = folder.resolve("target");
        ParallelTransferOptions out =
                new ParallelTransferOptions().setBlockSizeLong(3L * MIB).setMaxConcurrency(8);
        blob.downloadToFileWithResponse(target.toString(), null, out, null, null, false, null, null);
        assertThat(target).hasSameBinaryContentAs(source);
        assertThat(blob.getProperties().getMetadata()).isEqualTo(Map.of("kind", "large"));
    }

    @Test
    void streams_write_and_read_a_blob() throws IOException {
        byte[] content = random(10 * MIB + 7);
        try (BlobOutputStream out = blocks.getBlobOutputStream()) {
            for (int at = 0; at < content.length; at += 100_000) {
                out.write(content, at, Math.min(100_000, content.length - at));
            }
        }
        try (BlobInputStream in = blob.openInputStream()) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        try (BlobInputStream in = blob.openInputStream(new BlobRange(5L * MIB, 1000L), null)) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 5 * MIB, 5 * MIB + 1000));
        }
    }

    @Test
    void a_stream_notices_that_the_blob_was_replaced_under_it() throws IOException {
        blob.upload(BinaryData.fromBytes(random(10 * MIB)));
        try (BlobInputStream in = blob.openInputStream()) {
            assertThat(in.read()).isNotNegative();
            blob.upload(BinaryData.fromString("other"), true);
            assertThatThrownBy(in::readAllBytes).hasRootCauseInstanceOf(BlobStorageException.class);
        }
    }

    @Test
    void ranges_are_cut_where_the_blob_ends() {
        byte[] content = random(300_000);
        blob.upload(BinaryData.fromBytes(content));
        assertThat(range(new BlobRange(0, 1L))).isEqualTo(Arrays.copyOfRange(content, 0, 1));
        assertThat(range(new BlobRange(100_000, 50_000L))).isEqualTo(Arrays.copyOfRange(content, 100_000, 150_000));
        assertThat(range(new BlobRange(299_999, 10L))).isEqualTo(Arrays.copyOfRange(content, 299_999, 300_000));
        assertThat(range(new BlobRange(299_990))).isEqualTo(Arrays.copyOfRange(content, 299_990, 300_000));
        Sdk.refused(416, "InvalidRange", () -> range(new BlobRange(300_000, 1L)));
        Sdk.refused(416, "InvalidRange", () -> range(new BlobRange(400_000)));
    }

    private byte[] range(BlobRange range) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        blob.downloadStreamWithResponse(out, range, null, null, false, null, null);
        return out.toByteArray();
    }

    @Test
    void a_range_may_come_with_its_checksum_and_the_whole_always_does() throws Exception {
        byte[] content = random(200_000);
        blob.upload(BinaryData.fromBytes(content));
        var ranged = blob.downloadStreamWithResponse(
                new ByteArrayOutputStream(), new BlobRange(10, 1000L), null, null, true, null, null);
        assertThat(ranged.getStatusCode()).isEqualTo(206);
        assertThat(ranged.getDeserializedHeaders().getContentMd5())
                .isEqualTo(md5(Arrays.copyOfRange(content, 10, 1010)));
        assertThat(ranged.getDeserializedHeaders().getBlobContentMD5()).isEqualTo(md5(content));
        assertThat(ranged.getDeserializedHeaders().getContentRange()).isEqualTo("bytes 10-1009/200000");
        assertThat(blob.getProperties().getContentMd5()).isEqualTo(md5(content));
        BlobDownloadContentResponse whole = blob.downloadContentWithResponse(null, null, null, null);
        assertThat(whole.getDeserializedHeaders().getContentMd5()).isEqualTo(md5(content));
    }

    @Test
    void a_body_that_is_not_what_its_checksum_says_is_refused_and_changes_nothing() throws Exception {
        blob.upload(BinaryData.fromString("before"));
        for (int length : new int[] {100, 2 * MIB}) {
            byte[] content = random(length);
            Sdk.refused(
                    400,
                    "Md5Mismatch",
                    () -> blocks.uploadWithResponse(
                            new BlockBlobSimpleUploadOptions(stream(content), length).setContentMd5(md5(random(7))),
                            null,
                            null));
            Sdk.refused(
                    400,
                    "Md5Mismatch",
                    () -> blocks.stageBlockWithResponse(
                            id(1), stream(content), length, md5(random(7)), null, null, null));
            Sdk.refused(
                    400,
                    "InvalidMd5",
                    () -> blocks.uploadWithResponse(
                            new BlockBlobSimpleUploadOptions(stream(content), length).setContentMd5(new byte[3]),
                            null,
                            null));
        }
        assertThat(blob.downloadContent()).hasToString("before");
        assertThat(blocks.listBlocks(BlockListType.UNCOMMITTED).getUncommittedBlocks())
                .isNullOrEmpty();
        blocks.uploadWithResponse(
                new BlockBlobSimpleUploadOptions(stream(random(100)), 100).setContentMd5(md5(random(100))), null, null);
        blocks.stageBlockWithResponse(id(1), stream(random(100)), 100, md5(random(100)), null, null, null);
    }

    @Test
    void a_crc64_that_does_not_fit_is_refused_too() throws IOException {
        String path = "/" + container.getBlobContainerName() + "/crc";
        byte[] hello = utf8("Hello World");
        try (RawConnection connection = new RawConnection(server.blobPort())) {
            RawResponse fits =
                    connection.exchange(RawRequest.putBlob(path, hello).with("x-ms-content-crc64", "YeJLfssylmU="));
            assertThat(fits.status()).as(fits.text()).isEqualTo(201);
            assertThat(fits.header("x-ms-content-crc64")).contains("YeJLfssylmU=");
            RawResponse other = connection.exchange(
                    RawRequest.putBlob(path, utf8("hello world")).with("x-ms-content-crc64", "YeJLfssylmU="));
            assertThat(other.status()).isEqualTo(400);
            assertThat(other.header("x-ms-error-code")).contains("Crc64Mismatch");
            assertThat(connection.exchange(RawRequest.ofBlob("GET", path)).body())
                    .isEqualTo("Hello World");
        }
    }

    @Test
    void what_this_server_cannot_promise_is_refused_and_leaves_nothing_behind() throws IOException {
        Map<String, String> headers = Map.of(
                "x-ms-encryption-key", "c2VjcmV0",
                "x-ms-encryption-scope", "scope",
                "x-ms-structured-body", "XSM/1.0; properties=crc64",
                "x-ms-immutability-policy-mode", "unlocked");
        String path = "/" + container.getBlobContainerName() + "/refused";
        for (Map.Entry<String, String> header : headers.entrySet()) {
            for (RawRequest request : List.of(
                    RawRequest.putBlob(path, utf8("content")),
                    RawRequest.ofBlob("PUT", path + "?comp=block&blockid=AAAA").body(utf8("content")))) {
                try (RawConnection connection = new RawConnection(server.blobPort())) {
                    RawResponse answer = connection.exchange(request.with(header.getKey(), header.getValue()));
                    assertThat(answer.status()).as(header.getKey()).isEqualTo(400);
                    assertThat(answer.header("x-ms-error-code")).contains("UnsupportedHeader");
                }
            }
        }
        try (BlobConnection blobs = new BlobConnection(server, container.getBlobContainerName())) {
            assertThat(blobs.names("uncommittedblobs,metadata,snapshots")).isEmpty();
        }
    }

    @Test
    void an_upload_does_not_overwrite_unless_told_to() {
        blob.upload(BinaryData.fromString("first"));
        Sdk.refused(409, "BlobAlreadyExists", () -> blob.upload(BinaryData.fromString("second")));
        Sdk.refused(409, "BlobAlreadyExists", () -> blocks.upload(BinaryData.fromString("second")));
        Sdk.refused(409, "BlobAlreadyExists", () -> blocks.commitBlockList(List.of()));
        assertThat(blob.downloadContent()).hasToString("first");
        blob.upload(BinaryData.fromString("second"), true);
        assertThat(blob.downloadContent()).hasToString("second");
    }

    @Test
    void writes_and_reads_go_by_the_etag() {
        blob.upload(BinaryData.fromString("first"));
        String first = blob.getProperties().getETag();
        replace("second", ifMatch(first));
        String second = blob.getProperties().getETag();
        assertThat(second).isNotEqualTo(first);
        Sdk.refused(412, "ConditionNotMet", () -> replace("third", ifMatch(first)));
        Sdk.refused(412, "ConditionNotMet", () -> replace("third", new BlobRequestConditions().setIfNoneMatch(second)));
        Sdk.refused(412, "ConditionNotMet", () -> blob.setHttpHeadersWithResponse(null, ifMatch(first), null, null));
        Sdk.refused(412, "ConditionNotMet", () -> blob.setMetadataWithResponse(null, ifMatch(first), null, null));
        Sdk.refused(412, "ConditionNotMet", () -> blob.deleteWithResponse(null, ifMatch(first), null, null));
        Sdk.refused(412, "ConditionNotMet", () -> blob.createSnapshotWithResponse(null, ifMatch(first), null, null));
        Sdk.refused(412, "ConditionNotMet", () -> read(ifMatch(first)));
        Sdk.refused(412, "ConditionNotMet", () -> blob.getPropertiesWithResponse(ifMatch(first), null, null));
        Sdk.refused(304, "ConditionNotMet", () -> read(new BlobRequestConditions().setIfNoneMatch(second)));
        assertThat(read(ifMatch(second))).isEqualTo("second");
        assertThat(read(new BlobRequestConditions().setIfNoneMatch(first))).isEqualTo("second");
        assertThat(read(ifMatch("*"))).isEqualTo("second");
        blob.deleteWithResponse(null, ifMatch(second), null, null);
        Sdk.refused(412, "ConditionNotMet", () -> replace("none", ifMatch("*")));
    }

    @Test
    void writes_and_reads_go_by_the_time() {
        blob.upload(BinaryData.fromString("text"));
        OffsetDateTime before = OffsetDateTime.now(ZoneOffset.UTC).minusHours(1);
        OffsetDateTime after = OffsetDateTime.now(ZoneOffset.UTC).plusHours(1);
        Sdk.refused(412, "ConditionNotMet", () -> read(new BlobRequestConditions().setIfUnmodifiedSince(before)));
        Sdk.refused(304, "ConditionNotMet", () -> read(new BlobRequestConditions().setIfModifiedSince(after)));
        Sdk.refused(
                412, "ConditionNotMet", () -> replace("no", new BlobRequestConditions().setIfUnmodifiedSince(before)));
        Sdk.refused(412, "ConditionNotMet", () -> replace("no", new BlobRequestConditions().setIfModifiedSince(after)));
        assertThat(read(new BlobRequestConditions().setIfModifiedSince(before).setIfUnmodifiedSince(after)))
                .isEqualTo("text");
        replace("changed", new BlobRequestConditions().setIfModifiedSince(before));
    }

    private void replace(String text, BlobRequestConditions conditions) {
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromString(text)).setRequestConditions(conditions),
                null,
                null);
    }

    private String read(BlobRequestConditions conditions) {
        return blob.downloadContentWithResponse(null, conditions, null, null)
                .getValue()
                .toString();
    }

    @Test
    void properties_are_those_that_were_set_and_setting_some_clears_the_others() {
        BlobHttpHeaders headers = new BlobHttpHeaders()
                .setContentType("image/jpeg")
                .setContentEncoding("identity")
                .setContentLanguage("de-DE")
                .setContentDisposition("attachment; filename=\"photo.jpg\"")
                .setCacheControl("max-age=60");
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromString("text"))
                        .setHeaders(headers)
                        .setMetadata(Map.of("Emp", "0099", "text", "a, b")),
                null,
                null);
        BlobProperties properties = blob.getProperties();
        assertThat(properties.getBlobType()).isEqualTo(BlobType.BLOCK_BLOB);
        assertThat(properties.getContentType()).isEqualTo("image/jpeg");
        assertThat(properties.getContentEncoding()).isEqualTo("identity");
        assertThat(properties.getContentLanguage()).isEqualTo("de-DE");
        assertThat(properties.getContentDisposition()).isEqualTo("attachment; filename=\"photo.jpg\"");
        assertThat(properties.getCacheControl()).isEqualTo("max-age=60");
        assertThat(properties.getMetadata()).isEqualTo(Map.of("Emp", "0099", "text", "a, b"));
        assertThat(properties.getAccessTier()).isEqualTo(AccessTier.HOT);
        assertThat(properties.isAccessTierInferred()).isTrue();
        assertThat(properties.isServerEncrypted()).isTrue();

        blob.setHttpHeaders(new BlobHttpHeaders().setContentType("image/png"));
        BlobProperties changed = blob.getProperties();
        assertThat(changed.getETag()).isNotEqualTo(properties.getETag());
        assertThat(changed.getContentType()).isEqualTo("image/png");
        assertThat(changed.getContentLanguage()).isNull();
        assertThat(changed.getCacheControl()).isNull();
        assertThat(changed.getContentMd5()).isNull();
        assertThat(changed.getMetadata()).hasSize(2);

        blob.setMetadata(Map.of("other", "1"));
        assertThat(blob.getProperties().getMetadata()).isEqualTo(Map.of("other", "1"));
        assertThat(blob.getProperties().getETag()).isNotEqualTo(changed.getETag());
        blob.upload(BinaryData.fromString("text"), true);
        assertThat(blob.getProperties().getMetadata()).isEmpty();
        assertThat(blob.getProperties().getContentType()).isEqualTo("application/octet-stream");
    }

    @Test
    void metadata_have_a_limit() {
        blob.upload(BinaryData.fromString("text"));
        Sdk.refused(400, "MetadataTooLarge", () -> blob.setMetadata(Map.of("a", "x".repeat(8192))));
        Sdk.refused(400, "InvalidMetadata", () -> blob.setMetadata(Map.of("a-b", "x")));
        blob.setMetadata(Map.of("a", "x".repeat(8191)));
    }

    @Test
    void the_tier_is_kept_and_changes_no_etag() {
        blob.upload(BinaryData.fromString("text"));
        String etag = blob.getProperties().getETag();
        blob.setAccessTier(AccessTier.COOL);
        BlobProperties properties = blob.getProperties();
        assertThat(properties.getAccessTier()).isEqualTo(AccessTier.COOL);
        assertThat(properties.isAccessTierInferred()).isNull();
        assertThat(properties.getAccessTierChangeTime()).isNotNull();
        assertThat(properties.getETag()).isEqualTo(etag);
        blob.upload(BinaryData.fromString("again"), true);
        assertThat(blob.getProperties().getAccessTier()).isEqualTo(AccessTier.COOL);
        Sdk.refused(400, "InvalidHeaderValue", () -> blob.setAccessTier(AccessTier.fromString("Lukewarm")));
    }

    @Test
    void blocks_are_committed_in_the_order_of_the_list() {
        for (int i = 0; i < 4; i++) {
            blocks.stageBlock(id(i), BinaryData.fromString("<" + i + ">"));
        }
        Sdk.refused(404, "BlobNotFound", () -> Sdk.bytes(blob));
        assertThat(blob.exists()).isFalse();
        assertThat(blocks.listBlocks(BlockListType.ALL).getUncommittedBlocks())
                .extracting(Block::getName)
                .containsExactly(id(0), id(1), id(2), id(3));
        BlockBlobItem item = blocks.commitBlockList(List.of(id(2), id(0), id(2)), true);
        assertThat(item.getETag()).isEqualTo(blob.getProperties().getETag());
        assertThat(blob.downloadContent()).hasToString("<2><0><2>");
        BlockList list = blocks.listBlocks(BlockListType.ALL);
        assertThat(list.getCommittedBlocks()).extracting(Block::getName).containsExactly(id(2), id(0), id(2));
        assertThat(list.getUncommittedBlocks()).isEmpty();

        // Replaces one block; the others remain.
        blocks.stageBlock(id(0), BinaryData.fromString("<new>"));
        assertThat(blob.downloadContent()).hasToString("<2><0><2>");
        blocks.commitBlockList(List.of(id(0), id(2)), true);
        assertThat(blob.downloadContent()).hasToString("<new><2>");
        Sdk.refused(400, "InvalidBlockList", () -> blocks.commitBlockList(List.of(id(3)), true));
        assertThat(blob.downloadContent()).hasToString("<new><2>");
    }

    @Test
    void a_commit_sets_what_it_says_of_the_blob() {
        blocks.stageBlock(id(1), BinaryData.fromBytes(random(100_000)));
        blocks.commitBlockListWithResponse(
                new BlockBlobCommitBlockListOptions(List.of(id(1)))
                        .setHeaders(new BlobHttpHeaders().setContentType("text/csv"))
                        .setMetadata(Map.of("rows", "7"))
                        .setTier(AccessTier.COLD),
                null,
                null);
        BlobProperties properties = blob.getProperties();
        assertThat(properties.getContentType()).isEqualTo("text/csv");
        assertThat(properties.getMetadata()).isEqualTo(Map.of("rows", "7"));
        assertThat(properties.getAccessTier()).isEqualTo(AccessTier.COLD);
        assertThat(properties.getContentMd5()).isNull();
    }

    @Test
    void block_ids_have_a_form_and_one_length() {
        blocks.stageBlock(id(1), BinaryData.fromString("a"));
        String longer = Base64.getEncoder().encodeToString(utf8("a longer block id"));
        Sdk.refused(400, "InvalidBlobOrBlock", () -> blocks.stageBlock(longer, BinaryData.fromString("a")));
        Sdk.refused(400, "InvalidBlockId", () -> blocks.stageBlock("no base64!", BinaryData.fromString("a")));
        String tooLong = Base64.getEncoder().encodeToString(new byte[65]);
        Sdk.refused(
                400,
                "OutOfRangeInput",
                () -> container
                        .getBlobClient("other")
                        .getBlockBlobClient()
                        .stageBlock(tooLong, BinaryData.fromString("a")));
    }

    @Test
    void a_snapshot_stays_what_the_blob_was() {
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromString("first")).setMetadata(Map.of("n", "1")),
                null,
                null);
        BlobClientBase snapshot = blob.createSnapshot();
        BlobClientBase described = blob.createSnapshotWithResponse(Map.of("why", "test"), null, null, null)
                .getValue();
        blob.upload(BinaryData.fromString("second"), true);
        assertThat(snapshot.downloadContent()).hasToString("first");
        assertThat(snapshot.getProperties().getMetadata()).isEqualTo(Map.of("n", "1"));
        assertThat(described.getProperties().getMetadata()).isEqualTo(Map.of("why", "test"));
        assertThat(blob.downloadContent()).hasToString("second");
        Sdk.refused(409, "SnapshotsPresent", blob::delete);
        snapshot.delete();
        Sdk.refused(404, "BlobNotFound", () -> Sdk.bytes(snapshot));
        assertThat(described.downloadContent()).hasToString("first");
        blob.deleteWithResponse(DeleteSnapshotsOptionType.ONLY, null, null, null);
        Sdk.refused(404, "BlobNotFound", () -> Sdk.bytes(described));
        assertThat(blob.downloadContent()).hasToString("second");
        BlobClientBase last = blob.createSnapshot();
        blob.deleteWithResponse(DeleteSnapshotsOptionType.INCLUDE, null, null, null);
        assertThat(blob.exists()).isFalse();
        assertThat(last.exists()).isFalse();
    }

    @Test
    void a_blob_is_deleted_once() {
        blob.upload(BinaryData.fromBytes(random(2 * MIB)));
        assertThat(blob.deleteWithResponse(null, null, null, null).getStatusCode())
                .isEqualTo(202);
        assertThat(blob.exists()).isFalse();
        Sdk.refused(404, "BlobNotFound", blob::delete);
        assertThat(blob.deleteIfExists()).isFalse();
        Sdk.refused(404, "BlobNotFound", () -> Sdk.bytes(blob));
        Sdk.refused(404, "BlobNotFound", blob::getProperties);
        blob.upload(BinaryData.fromString("again"));
        assertThat(blob.downloadContent()).hasToString("again");
    }

    @Test
    void names_may_have_nearly_any_characters() {
        for (String name : List.of(
                "a b+c%20&d=e;f",
                "umläut/日本語/😀", "dots../..hidden", "CASE", "case", "a//b", "quote'\"<>", "x".repeat(1024), "?and#")) {
            BlobClient odd = container.getBlobClient(name);
            odd.upload(BinaryData.fromString(name));
            assertThat(odd.downloadContent()).hasToString(name);
            assertThat(container.listBlobs()).anyMatch(item -> item.getName().equals(name));
        }
        Sdk.refused(
                400,
                "OutOfRangeInput",
                () -> container.getBlobClient("x".repeat(1025)).upload(BinaryData.fromString("no")));
    }

    @Test
    void a_blob_and_one_below_it_are_two() {
        container.getBlobClient("a").upload(BinaryData.fromString("one"));
        container.getBlobClient("a/b").upload(BinaryData.fromString("two"));
        assertThat(container.getBlobClient("a").downloadContent()).hasToString("one");
        assertThat(container.getBlobClient("a/b").downloadContent()).hasToString("two");
    }

    @Test
    void a_read_that_has_begun_sees_one_version_to_its_end() throws IOException {
        byte[] content = new byte[16 * MIB];
        Arrays.fill(content, (byte) 'x');
        blob.upload(BinaryData.fromBytes(content));
        try (RawConnection connection = RawConnection.narrow(server.blobPort())) {
            connection.send(RawRequest.ofBlob("GET", "/" + container.getBlobContainerName() + "/blob")
                    .bytes());
            // Waits until the server has started to send, so that the next request comes in the middle.
            connection.awaitResponse();
            blob.delete();
            assertThat(blob.exists()).isFalse();
            RawResponse answer = connection.response();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).hasSize(content.length).containsOnlyOnce("x".repeat(content.length));
        }
    }

    @Test
    void timeouts_that_clients_ask_for_are_long_enough_for_a_large_body() {
        byte[] content = random(4 * MIB);
        blocks.uploadWithResponse(
                new BlockBlobSimpleUploadOptions(stream(content), content.length), Duration.ofSeconds(60), null);
        assertThat(Sdk.bytes(blob)).isEqualTo(content);
    }
}
