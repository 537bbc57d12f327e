package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobCopySourceTagsMode;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.TaggedBlobItem;
import com.azure.storage.blob.options.BlobCopyFromUrlOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.options.BlobSetTagsOptions;
import com.azure.storage.blob.options.FindBlobsOptions;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.blob.specialized.BlobClientBase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tags as the SDK gives, reads and finds them. */
@ExtendWith(SharedServer.class)
class SdkBlobTagsIT {
    /** A blank, a plus sign and the other characters that are written in several ways. */
    private static final Map<String, String> TAGS = Map.of("tag 1", "a+b c", "+-./:=_", "=", "k", "1");

    private final BlobServiceClient service;
    private final BlobContainerClient container;
    private final BlobClient blob;

    SdkBlobTagsIT(TrestleProcess server) {
        this.service = Sdk.blobService(server);
        this.container = Sdk.newContainer(server);
        this.blob = container.getBlobClient("folder/blob");
    }

    private static void upload(BlobClient blob, Map<String, String> tags) {
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromString("content")).setTags(tags), null, null);
    }

    @Test
    void tags_come_back_as_they_were_given() {
        upload(blob, TAGS);
        assertThat(blob.getTags()).isEqualTo(TAGS);
        assertThat(blob.getProperties().getTagCount()).isEqualTo(3);
        Map<String, String> others = Map.of(" blanks ", " kept ");
        blob.setTags(others);
        assertThat(blob.getTags()).isEqualTo(others);
        BlobClientBase snapshot = blob.createSnapshot();
        blob.setTags(Map.of());
        assertThat(blob.getTags()).isEmpty();
        assertThat(snapshot.getTags()).isEqualTo(others);
        Sdk.refused(400, "InvalidTag", () -> blob.setTags(Map.of("k", "#")));
    }

    @Test
    void a_condition_on_tags_decides() {
        upload(blob, TAGS);
        BlobRequestConditions holds = new BlobRequestConditions().setTagsConditions("\"tag 1\" = 'a+b c' AND k >= '1'");
        BlobRequestConditions fails = new BlobRequestConditions().setTagsConditions("\"k\" <> '1' OR \"k\" = '2'");
        assertThat(blob.getPropertiesWithResponse(holds, null, null).getStatusCode())
                .isEqualTo(200);
        Sdk.refused(412, "ConditionNotMet", () -> blob.downloadContentWithResponse(null, fails, null, null));
        Sdk.refused(412, "ConditionNotMet", () -> blob.setMetadataWithResponse(Map.of(), fails, null, null));
        Sdk.refused(
                412,
                "ConditionNotMet",
                () -> blob.setTagsWithResponse(
                        new BlobSetTagsOptions(Map.of())
                                .setRequestConditions(new BlobRequestConditions().setTagsConditions("k = '2'")),
                        null,
                        null));
        Sdk.refused(412, "ConditionNotMet", () -> blob.deleteWithResponse(null, fails, null, null));
        blob.deleteWithResponse(null, holds, null, null);
    }

    @Test
    void blobs_are_found_by_their_tags_page_by_page() {
        String mine = container.getBlobContainerName();
        for (int i = 0; i < 7; i++) {
            upload(container.getBlobClient("b" + i), Map.of("test", mine, "n", String.valueOf(i)));
        }
        String query = "\"test\" = '" + mine + "' AND \"n\" >= '2' AND \"n\" < '6'";
        FindBlobsOptions pages = new FindBlobsOptions(query).setMaxResultsPerPage(3);
        List<TaggedBlobItem> found =
                service.findBlobsByTags(pages, null, null).stream().toList();
        assertThat(found).extracting(TaggedBlobItem::getName).containsExactly("b2", "b3", "b4", "b5");
        assertThat(found).extracting(TaggedBlobItem::getContainerName).containsOnly(mine);
        assertThat(found.get(0).getTags()).isEqualTo(Map.of("test", mine, "n", "2"));
        assertThat(container.findBlobsByTags(query).stream()).hasSize(4);
        assertThat(service.findBlobsByTags("@container = '" + mine + "' AND \"n\" = '6'").stream())
                .extracting(TaggedBlobItem::getName)
                .containsExactly("b6");
        Sdk.refused(
                400,
                "InvalidQueryParameterValue",
                () -> service.findBlobsByTags("\"n\" <> '1'").stream().toList());
    }

    @Test
    void a_listing_tells_the_tags() {
        upload(blob, TAGS);
        ListBlobsOptions options = new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveTags(true));
        assertThat(container.listBlobs(options, null).stream()).singleElement().satisfies(item -> {
            assertThat(item.getTags()).isEqualTo(TAGS);
            assertThat(item.getProperties().getTagCount()).isEqualTo(3);
        });
        assertThat(container.listBlobs())
                .singleElement()
                .satisfies(item -> assertThat(item.getTags()).isNullOrEmpty());
    }

    @Test
    void a_copy_takes_the_tags_of_its_source_or_its_own() {
        upload(blob, TAGS);
        String source = blob.getBlobUrl() + "?"
                + blob.generateSas(new BlobServiceSasSignatureValues(
                        Sdk.inMinutes(5),
                        new BlobSasPermission().setReadPermission(true).setTagsPermission(true)));
        BlobClient copy = container.getBlobClient("copy");
        copy.copyFromUrlWithResponse(
                new BlobCopyFromUrlOptions(source).setCopySourceTagsMode(BlobCopySourceTagsMode.COPY), null, null);
        assertThat(copy.getTags()).isEqualTo(TAGS);
        copy.copyFromUrlWithResponse(new BlobCopyFromUrlOptions(source).setTags(Map.of("own", "tag")), null, null);
        assertThat(copy.getTags()).isEqualTo(Map.of("own", "tag"));
        copy.copyFromUrl(source);
        assertThat(copy.getTags()).isEmpty();
    }

    @Test
    void a_signature_opens_tags_and_searches_by_its_letters() {
        upload(blob, TAGS);
        BlobClient reads = signed(blob.generateSas(
                new BlobServiceSasSignatureValues(Sdk.inMinutes(5), new BlobSasPermission().setReadPermission(true))));
        Sdk.refused(403, "AuthorizationPermissionMismatch", reads::getTags);
        BlobClient tags = signed(blob.generateSas(
                new BlobServiceSasSignatureValues(Sdk.inMinutes(5), new BlobSasPermission().setTagsPermission(true))));
        assertThat(tags.getTags()).isEqualTo(TAGS);
        String finds = container.generateSas(new BlobServiceSasSignatureValues(
                Sdk.inMinutes(5), new BlobContainerSasPermission().setFilterPermission(true)));
        BlobContainerClient searcher = Sdk.container()
                .endpoint(container.getBlobContainerUrl())
                .sasToken(finds)
                .buildClient();
        assertThat(searcher.findBlobsByTags("k = '1'").stream()).hasSize(1);
        Sdk.refused(
                403,
                "AuthorizationPermissionMismatch",
                () -> searcher.listBlobs().stream().toList());
    }

    private BlobClient signed(String sas) {
        return Sdk.container()
                .endpoint(container.getBlobContainerUrl())
                .sasToken(sas)
                .buildClient()
                .getBlobClient("folder/blob");
    }
}
