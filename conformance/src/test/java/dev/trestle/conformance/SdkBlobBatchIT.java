package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.rest.Response;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.batch.BlobBatch;
import com.azure.storage.blob.batch.BlobBatchClient;
import com.azure.storage.blob.batch.BlobBatchClientBuilder;
import com.azure.storage.blob.batch.BlobBatchStorageException;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Batches of requests to delete blobs and to set tiers. */
@ExtendWith(SharedServer.class)
class SdkBlobBatchIT {
    private final TrestleProcess server;
    private final BlobServiceClient service;
    private final BlobContainerClient container;
    private final BlobBatchClient batches;
    private final BlobBatchClient ofContainer;

    SdkBlobBatchIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.blobService(server);
        this.container = Sdk.newContainer(server);
        this.batches = new BlobBatchClientBuilder(service).buildClient();
        this.ofContainer = new BlobBatchClientBuilder(container).buildClient();
    }

    private BlobClient blob(BlobContainerClient in, String name) {
        BlobClient blob = in.getBlobClient(name);
        blob.upload(BinaryData.fromString("text"));
        return blob;
    }

    private BlobClient blob(String name) {
        return blob(container, name);
    }

    private static List<String> names(BlobContainerClient of) {
        return of.listBlobs().stream().map(BlobItem::getName).toList();
    }

    private static String code(Response<Void> response) {
        return catchThrowableOfType(BlobStorageException.class, response::getStatusCode)
                .getErrorCode()
                .toString();
    }

    @Test
    void blobs_of_several_containers_are_deleted() {
        BlobContainerClient other = Sdk.newContainer(server);
        List<String> urls = List.of(
                blob("a").getBlobUrl(),
                blob("folder/b c").getBlobUrl(),
                blob(other, "å+%20&").getBlobUrl());

        assertThat(batches.deleteBlobs(urls, DeleteSnapshotsOptionType.INCLUDE))
                .extracting(Response::getStatusCode)
                .containsExactly(202, 202, 202);
        assertThat(names(container)).isEmpty();
        assertThat(names(other)).isEmpty();
    }

    @Test
    void tiers_are_set_in_the_container_of_the_batch() {
        List<BlobClient> blobs = List.of(blob("a"), blob("b"));

        assertThat(ofContainer.setBlobsAccessTier(
                        blobs.stream().map(BlobClient::getBlobUrl).toList(), AccessTier.COOL))
                .extracting(Response::getStatusCode)
                .containsExactly(200, 200);
        assertThat(blobs)
                .extracting(blob -> blob.getProperties().getAccessTier())
                .containsOnly(AccessTier.COOL);
    }

    @Test
    void each_request_succeeds_or_fails_by_itself() {
        BlobClient changed = blob("changed");
        String etag = changed.getProperties().getETag();
        changed.setMetadata(null);
        BlobBatch batch = ofContainer.getBlobBatch();
        Response<Void> deleted = batch.deleteBlob(blob("there").getBlobUrl());
        Response<Void> gone = batch.deleteBlob(container.getBlobContainerName(), "gone");
        Response<Void> stale =
                batch.deleteBlob(changed.getBlobUrl(), null, new BlobRequestConditions().setIfMatch(etag));

        BlobBatchStorageException failures =
                catchThrowableOfType(BlobBatchStorageException.class, () -> ofContainer.submitBatch(batch));

        assertThat(failures.getBatchExceptions()).hasSize(2);
        assertThat(deleted.getStatusCode()).isEqualTo(202);
        assertThat(code(gone)).isEqualTo("BlobNotFound");
        assertThat(code(stale)).isEqualTo("ConditionNotMet");
        assertThat(names(container)).containsExactly("changed");
    }

    @Test
    void the_largest_batch_is_deleted_and_a_larger_one_refused() {
        List<String> urls = IntStream.range(0, 256)
                .mapToObj(i -> blob("b" + i).getBlobUrl())
                .toList();

        BlobBatch larger = batches.getBlobBatch();
        urls.forEach(larger::deleteBlob);
        larger.deleteBlob(container.getBlobContainerName(), "gone");
        assertThat(catchThrowableOfType(BlobStorageException.class, () -> batches.submitBatch(larger)))
                .hasMessageContaining("ExceedsMaxBatchRequestCount");
        assertThat(names(container)).hasSize(256);

        assertThat(batches.deleteBlobs(urls, DeleteSnapshotsOptionType.INCLUDE)).hasSize(256);
        assertThat(names(container)).isEmpty();
    }

    @Test
    void a_batch_for_a_container_refuses_blobs_of_others() {
        BlobClient here = blob("here");
        BlobClient elsewhere = blob(Sdk.newContainer(server), "elsewhere");
        List<String> urls = List.of(here.getBlobUrl(), elsewhere.getBlobUrl());

        assertThat(catchThrowableOfType(
                        BlobStorageException.class,
                        () -> ofContainer
                                .deleteBlobs(urls, DeleteSnapshotsOptionType.INCLUDE)
                                .forEach(response -> {})))
                .hasMessageContaining("InvalidInput");
        assertThat(here.exists()).isTrue();
        assertThat(elsewhere.exists()).isTrue();
    }

    @Test
    void a_signature_opens_the_requests_that_it_allows() {
        BlobClient blob = blob("a");
        assertThat(statusWith("rcw", blob)).isEqualTo(403);
        assertThat(statusWith("rcwd", blob)).isEqualTo(202);
    }

    private int statusWith(String permissions, BlobClient blob) {
        String sas = container.generateSas(
                new BlobServiceSasSignatureValues(Sdk.inMinutes(10), BlobContainerSasPermission.parse(permissions)));
        BlobContainerClient with = Sdk.container()
                .endpoint(container.getBlobContainerUrl())
                .sasToken(sas)
                .buildClient();
        BlobBatchClient client = new BlobBatchClientBuilder(with).buildClient();
        BlobBatch batch = client.getBlobBatch();
        Response<Void> response = batch.deleteBlob(blob.getBlobUrl());
        client.submitBatchWithResponse(batch, false, null, Context.NONE);
        try {
            return response.getStatusCode();
        } catch (BlobStorageException e) {
            return e.getStatusCode();
        }
    }
}
