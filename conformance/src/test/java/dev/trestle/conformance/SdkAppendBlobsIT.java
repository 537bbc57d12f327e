package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.AppendBlobItem;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.options.AppendBlobCreateOptions;
import com.azure.storage.blob.options.AppendBlobSealOptions;
import com.azure.storage.blob.specialized.AppendBlobClient;
import com.azure.storage.blob.specialized.BlobOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Blobs that grow at their end, as logs do. */
@ExtendWith(SharedServer.class)
class SdkAppendBlobsIT {
    private static final int WRITERS = 8;
    private static final int LINES = 200;

    private final BlobContainerClient container;
    private final AppendBlobClient log;

    SdkAppendBlobsIT(TrestleProcess server) {
        this.container = Sdk.newContainer(server);
        this.log = container.getBlobClient("queue/2014/07/31/1800/000001.log").getAppendBlobClient();
    }

    private AppendBlobItem append(String text) {
        return append(text, new AppendBlobRequestConditions());
    }

    private AppendBlobItem append(String text, AppendBlobRequestConditions conditions) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return log.appendBlockWithResponse(new ByteArrayInputStream(bytes), bytes.length, null, conditions, null, null)
                .getValue();
    }

    private static AppendBlobRequestConditions at(long position) {
        return new AppendBlobRequestConditions().setAppendPosition(position);
    }

    @Test
    void each_block_goes_to_the_end() {
        log.create();
        AppendBlobItem first = append("one\n");
        assertThat(first.getBlobAppendOffset()).isEqualTo("0");
        assertThat(first.getBlobCommittedBlockCount()).isEqualTo(1);
        AppendBlobItem second = append("two\n");
        assertThat(second.getBlobAppendOffset()).isEqualTo("4");
        assertThat(second.getBlobCommittedBlockCount()).isEqualTo(2);
        assertThat(second.getETag()).isNotEqualTo(first.getETag());
        assertThat(log.downloadContent()).hasToString("one\ntwo\n");
        BlobProperties properties = log.getProperties();
        assertThat(properties.getBlobType()).isEqualTo(BlobType.APPEND_BLOB);
        assertThat(properties.getCommittedBlockCount()).isEqualTo(2);
        assertThat(properties.getBlobSize()).isEqualTo(8);
        assertThat(properties.getContentMd5()).isNull();
    }

    @Test
    void a_new_file_is_begun_by_one_writer_only() {
        assertThat(log.createIfNotExists()).isNotNull();
        append("line\n");
        Sdk.refused(409, "BlobAlreadyExists", log::create);
        assertThat(log.createIfNotExistsWithResponse(new AppendBlobCreateOptions(), null, null)
                        .getStatusCode())
                .isEqualTo(409);
        assertThat(log.downloadContent()).hasToString("line\n");
        log.create(true);
        assertThat(log.downloadContent().toBytes()).isEmpty();
        assertThat(log.getProperties().getCommittedBlockCount()).isZero();
    }

    @Test
    void of_many_writers_no_line_is_torn_or_lost() throws Exception {
        log.createWithResponse(null, Map.of("kind", "log"), null, null, null);
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Callable<Void>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                String name = "writer " + writer + " line ";
                writers.add(() -> {
                    for (int line = 0; line < LINES; line++) {
                        append(name + line + " " + "x".repeat(line) + "\n");
                    }
                    return null;
                });
            }
            for (Future<Void> writer : threads.invokeAll(writers)) {
                writer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        List<String> lines = log.downloadContent().toString().lines().toList();
        assertThat(lines).hasSize(WRITERS * LINES);
        for (int writer = 0; writer < WRITERS; writer++) {
            String name = "writer " + writer + " line ";
            assertThat(lines.stream().filter(line -> line.startsWith(name)).toList())
                    .isEqualTo(IntStream.range(0, LINES)
                            .mapToObj(line -> name + line + " " + "x".repeat(line))
                            .toList());
        }
        BlobProperties properties = log.getProperties();
        assertThat(properties.getCommittedBlockCount()).isEqualTo(WRITERS * LINES);
        assertThat(properties.getMetadata()).isEqualTo(Map.of("kind", "log"));
    }

    @Test
    void a_writer_notices_when_another_was_there_before_it() {
        log.create();
        append("one\n", at(0));
        Sdk.refused(412, "AppendPositionConditionNotMet", () -> append("two\n", at(0)));
        append("two\n", at(4));
        String etag = log.getProperties().getETag();
        append("three\n");
        Sdk.refused(412, "ConditionNotMet", () -> append("four\n", new AppendBlobRequestConditions().setIfMatch(etag)));
        assertThat(log.downloadContent()).hasToString("one\ntwo\nthree\n");
    }

    @Test
    void a_blob_can_be_kept_from_growing_beyond_a_size() {
        log.create();
        append("12345", new AppendBlobRequestConditions().setMaxSize(6L));
        Sdk.refused(
                412,
                "MaxBlobSizeConditionNotMet",
                () -> append("67", new AppendBlobRequestConditions().setMaxSize(6L)));
        append("6", new AppendBlobRequestConditions().setMaxSize(6L));
        assertThat(log.downloadContent()).hasToString("123456");
    }

    @Test
    void a_sealed_blob_grows_no_more() {
        log.create();
        append("last\n");
        Sdk.refused(
                412,
                "AppendPositionConditionNotMet",
                () -> log.sealWithResponse(new AppendBlobSealOptions().setRequestConditions(at(3)), null, null));
        log.seal();
        assertThat(log.getProperties().isSealed()).isTrue();
        Sdk.refused(409, "BlobIsSealed", () -> append("more\n"));
        assertThat(log.downloadContent()).hasToString("last\n");
        log.delete();
    }

    @Test
    void a_stream_appends() throws IOException {
        log.create();
        append("before\n");
        try (BlobOutputStream out = log.getBlobOutputStream()) {
            for (int i = 0; i < 500; i++) {
                out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        List<String> lines = log.downloadContent().toString().lines().toList();
        assertThat(lines).hasSize(501).startsWith("before").endsWith("line 499");
    }

    @Test
    void large_blocks_are_appended_whole() {
        log.create();
        byte[] block = new byte[6 << 20];
        Arrays.fill(block, (byte) 'z');
        log.appendBlock(new ByteArrayInputStream(block), block.length);
        append("end");
        assertThat(log.getProperties().getBlobSize()).isEqualTo(block.length + 3);
        assertThat(log.downloadContent().toString()).startsWith("zzz").endsWith("zzzend");
    }

    @Test
    void the_type_of_a_blob_does_not_change() {
        log.create();
        Sdk.refused(
                409,
                "InvalidBlobType",
                () -> container.getBlobClient(log.getBlobName()).upload(BinaryData.fromString("block"), true));
        AppendBlobClient block = container.getBlobClient("block").getAppendBlobClient();
        container.getBlobClient("block").upload(BinaryData.fromString("block"));
        Sdk.refused(409, "InvalidBlobType", () -> block.create(true));
        Sdk.refused(409, "InvalidBlobType", () -> block.appendBlock(new ByteArrayInputStream(new byte[1]), 1));
        Sdk.refused(
                404,
                "BlobNotFound",
                () -> container
                        .getBlobClient("none")
                        .getAppendBlobClient()
                        .appendBlock(new ByteArrayInputStream(new byte[1]), 1));
    }
}
