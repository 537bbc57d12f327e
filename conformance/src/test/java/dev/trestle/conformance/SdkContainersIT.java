package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.blob.models.BlobContainerListDetails;
import com.azure.storage.blob.models.BlobContainerProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.LeaseStateType;
import com.azure.storage.blob.models.LeaseStatusType;
import com.azure.storage.blob.models.ListBlobContainersOptions;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The life of containers. */
@ExtendWith(SharedServer.class)
class SdkContainersIT {
    private final TrestleProcess server;
    private final BlobServiceClient service;

    SdkContainersIT(TrestleProcess server) {
        this.server = server;
        this.service = Sdk.blobService(server);
    }

    @Test
    void a_container_is_made_once_and_deleted_once() {
        BlobContainerClient container = service.getBlobContainerClient(SharedServer.newContainerName());
        assertThat(container.exists()).isFalse();
        assertThat(container.createWithResponse(null, null, null, null).getStatusCode())
                .isEqualTo(201);
        assertThat(container.exists()).isTrue();
        Sdk.refused(409, "ContainerAlreadyExists", container::create);
        assertThat(container.createIfNotExists()).isFalse();
        assertThat(container.deleteWithResponse(null, null, null).getStatusCode())
                .isEqualTo(202);
        assertThat(container.exists()).isFalse();
        assertThat(container.deleteIfExists()).isFalse();
        Sdk.refused(404, "ContainerNotFound", container::delete);
        assertThat(container.createIfNotExists()).isTrue();
        assertThat(container.deleteIfExists()).isTrue();
    }

    @Test
    void a_container_made_anew_has_nothing_of_the_one_before() {
        BlobContainerClient container = Sdk.newContainer(server);
        container.setMetadata(Map.of("a", "b"));
        container.getBlobClient("blob").upload(new ByteArrayInputStream(new byte[100_000]));
        container.delete();
        Sdk.refused(404, "ContainerNotFound", () -> Sdk.bytes(container.getBlobClient("blob")));
        container.create();
        assertThat(container.getProperties().getMetadata()).isEmpty();
        assertThat(container.listBlobs()).isEmpty();
        Sdk.refused(404, "BlobNotFound", () -> Sdk.bytes(container.getBlobClient("blob")));
    }

    @Test
    void properties_tell_what_a_container_is() {
        BlobContainerClient container = Sdk.newContainer(server);
        BlobContainerProperties properties = container.getProperties();
        assertThat(properties.getLeaseState()).isEqualTo(LeaseStateType.AVAILABLE);
        assertThat(properties.getLeaseStatus()).isEqualTo(LeaseStatusType.UNLOCKED);
        assertThat(properties.getBlobPublicAccess()).isNull();
        assertThat(properties.hasImmutabilityPolicy()).isFalse();
        assertThat(properties.hasLegalHold()).isFalse();
        assertThat(properties.getLastModified())
                .isAfter(OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(5));
    }

    @Test
    void metadata_are_replaced_and_change_the_etag_which_blobs_do_not() {
        BlobContainerClient container = service.createBlobContainerWithResponse(
                        SharedServer.newContainerName(), Map.of("Owner", "hr"), null, null)
                .getValue();
        BlobContainerProperties before = container.getProperties();
        assertThat(before.getMetadata()).isEqualTo(Map.of("Owner", "hr"));
        container.getBlobClient("blob").upload(new ByteArrayInputStream(new byte[1]));
        assertThat(container.getProperties().getETag()).isEqualTo(before.getETag());
        container.setMetadata(Map.of("b_1", "two words", "empty", "x"));
        BlobContainerProperties after = container.getProperties();
        assertThat(after.getETag()).isNotEqualTo(before.getETag());
        assertThat(after.getMetadata()).isEqualTo(Map.of("b_1", "two words", "empty", "x"));
        container.setMetadata(Map.of());
        assertThat(container.getProperties().getMetadata()).isEmpty();
    }

    @Test
    void a_container_may_be_deleted_only_if_nobody_changed_it() {
        BlobContainerClient container = Sdk.newContainer(server);
        OffsetDateTime longAgo = OffsetDateTime.now(ZoneOffset.UTC).minusDays(1);
        Sdk.refused(
                412,
                "ConditionNotMet",
                () -> container.deleteWithResponse(
                        new BlobRequestConditions().setIfUnmodifiedSince(longAgo), null, null));
        container.deleteWithResponse(new BlobRequestConditions().setIfModifiedSince(longAgo), null, null);
        assertThat(container.exists()).isFalse();
    }

    @Test
    void names_are_of_3_to_63_small_letters_digits_and_hyphens() {
        Sdk.refused(400, "OutOfRangeInput", () -> service.createBlobContainer("ab"));
        Sdk.refused(400, "OutOfRangeInput", () -> service.createBlobContainer("a".repeat(64)));
        for (String name : List.of("Capital", "two--hyphens", "-first", "last-", "under_score", "dot.ted", "$other")) {
            Sdk.refused(400, "InvalidResourceName", () -> service.createBlobContainer(name));
        }
        String longest = (SharedServer.newContainerName() + "-" + "x".repeat(63)).substring(0, 63);
        service.createBlobContainer(longest).delete();
        service.getBlobContainerClient("0-9").createIfNotExists();
    }

    @Test
    void the_root_container_is_the_one_of_addresses_without_any() {
        BlobContainerClient root = service.getBlobContainerClient("$root");
        root.createIfNotExists();
        root.getBlobClient("at-the-root.txt")
                .upload(new ByteArrayInputStream("text".getBytes(StandardCharsets.UTF_8)), true);
        assertThat(root.getBlobClient("at-the-root.txt").downloadContent()).hasToString("text");
    }

    @Test
    void listing_goes_on_where_a_page_ended_also_in_another_client() {
        String prefix = SharedServer.newContainerName() + "-page-";
        List<String> names = List.of(prefix + "a", prefix + "b", prefix + "c", prefix + "d", prefix + "e");
        names.forEach(service::createBlobContainer);
        ListBlobContainersOptions options =
                new ListBlobContainersOptions().setPrefix(prefix).setMaxResultsPerPage(2);
        PagedResponse<BlobContainerItem> first = service.listBlobContainers(options, null)
                .iterableByPage()
                .iterator()
                .next();
        assertThat(first.getValue()).extracting(BlobContainerItem::getName).isEqualTo(names.subList(0, 2));
        List<PagedResponse<BlobContainerItem>> rest = Sdk.blobService(server)
                .listBlobContainers(options, null)
                .streamByPage(first.getContinuationToken())
                .toList();
        assertThat(rest).hasSize(2);
        assertThat(rest.stream().flatMap(page -> page.getValue().stream()))
                .extracting(BlobContainerItem::getName)
                .isEqualTo(names.subList(2, 5));
    }

    @Test
    void a_list_tells_properties_always_and_metadata_when_asked_to() {
        String name = SharedServer.newContainerName() + "-told";
        Map<String, String> metadata = Map.of("Owner", "<hr> & \"others\"");
        BlobContainerClient container = service.createBlobContainerWithResponse(name, metadata, null, null)
                .getValue();
        ListBlobContainersOptions options = new ListBlobContainersOptions().setPrefix(name);
        assertThat(service.listBlobContainers(options, null)).singleElement().satisfies(item -> {
            assertThat(item.getMetadata()).isNullOrEmpty();
            assertThat(item.getProperties().getETag().replace("\"", ""))
                    .isEqualTo(container.getProperties().getETag().replace("\"", ""));
            assertThat(item.getProperties().getLeaseState()).isEqualTo(LeaseStateType.AVAILABLE);
        });
        options.setDetails(new BlobContainerListDetails().setRetrieveMetadata(true));
        assertThat(service.listBlobContainers(options, null))
                .extracting(BlobContainerItem::getMetadata)
                .containsExactly(metadata);
    }

    @Test
    void a_table_a_queue_and_a_container_may_have_the_same_name() {
        String name = "same" + SharedServer.newTableName();
        service.createBlobContainer(name).getBlobClient("b").upload(new ByteArrayInputStream(new byte[1]));
        Sdk.service(server).createTable(name);
        Sdk.queueService(server).createQueue(name);
        Sdk.service(server).deleteTable(name);
        Sdk.queueService(server).deleteQueue(name);
        assertThat(service.getBlobContainerClient(name).listBlobs()).hasSize(1);
    }
}
