package dev.trestle.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.LeaseStateType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.specialized.BlobClientBase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Listings of containers, flat and hierarchical. */
@ExtendWith(SharedServer.class)
class SdkBlobListingIT {
    private static final int MANY = 5100;

    private final TrestleProcess server;
    private final BlobContainerClient container;

    SdkBlobListingIT(TrestleProcess server) {
        this.server = server;
        this.container = Sdk.newContainer(server);
    }

    private void put(String... names) {
        for (String name : names) {
            container.getBlobClient(name).upload(BinaryData.fromString(name));
        }
    }

    private List<String> names(ListBlobsOptions options) {
        return container.listBlobs(options, null).stream()
                .map(BlobItem::getName)
                .toList();
    }

    /** Within a page the SDK returns prefixes after blobs; the transcripts show the order of the service. */
    private List<String> folder(String prefix) {
        return container.listBlobsByHierarchy(prefix).stream()
                .sorted(Comparator.comparing(BlobItem::getName))
                .map(item -> (Boolean.TRUE.equals(item.isPrefix()) ? "folder " : "") + item.getName())
                .toList();
    }

    @Test
    void names_are_in_their_order() {
        put("b", "a/c", "a", "Z", "é", "a b", "😀", "a/b", "aa");
        assertThat(names(new ListBlobsOptions())).containsExactly("Z", "a", "a b", "a/b", "a/c", "aa", "b", "é", "😀");
        assertThat(names(new ListBlobsOptions().setPrefix("a/"))).containsExactly("a/b", "a/c");
        assertThat(names(new ListBlobsOptions().setPrefix("none"))).isEmpty();
    }

    @Test
    void an_item_tells_what_its_blob_is() throws Exception {
        BlobClient blob = container.getBlobClient("told & <escaped>");
        blob.uploadWithResponse(
                new BlobParallelUploadOptions(BinaryData.fromString("text"))
                        .setHeaders(new BlobHttpHeaders()
                                .setContentType("text/plain")
                                .setContentLanguage("de")
                                .setCacheControl("no-cache"))
                        .setMetadata(Map.of("Start", "180000")),
                null,
                null);
        assertThat(container.listBlobs()).singleElement().satisfies(item -> {
            assertThat(item.getName()).isEqualTo("told & <escaped>");
            assertThat(item.getMetadata()).isNull();
            assertThat(item.getProperties().getETag())
                    .isEqualTo(blob.getProperties().getETag());
            assertThat(item.getProperties().getContentLength()).isEqualTo(4);
            assertThat(item.getProperties().getContentType()).isEqualTo("text/plain");
            assertThat(item.getProperties().getContentLanguage()).isEqualTo("de");
            assertThat(item.getProperties().getCacheControl()).isEqualTo("no-cache");
            assertThat(item.getProperties().getContentMd5())
                    .isEqualTo(MessageDigest.getInstance("MD5").digest("text".getBytes(StandardCharsets.UTF_8)));
            assertThat(item.getProperties().getBlobType()).isEqualTo(BlobType.BLOCK_BLOB);
            assertThat(item.getProperties().getLeaseState()).isEqualTo(LeaseStateType.AVAILABLE);
            assertThat(item.getProperties().getLastModified())
                    .isEqualTo(blob.getProperties().getLastModified());
            assertThat(item.getProperties().getCreationTime())
                    .isEqualTo(blob.getProperties().getCreationTime());
        });
        ListBlobsOptions details = new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveMetadata(true));
        assertThat(container.listBlobs(details, null))
                .singleElement()
                .satisfies(item -> assertThat(item.getMetadata()).isEqualTo(Map.of("Start", "180000")));
    }

    @Test
    void folders_are_what_is_before_the_next_slash() {
        put("queue/2014/07/31/1800/1.log", "queue/2014/07/31/1800/2.log", "queue/2014/07/31/1900/1.log");
        put("queue/2014/07/31/index.txt", "queue/2014/07/31", "table/x");
        assertThat(folder("")).containsExactly("folder queue/", "folder table/");
        assertThat(folder("queue/2014/07/31")).containsExactly("queue/2014/07/31", "folder queue/2014/07/31/");
        assertThat(folder("queue/2014/07/31/"))
                .containsExactly(
                        "folder queue/2014/07/31/1800/", "folder queue/2014/07/31/1900/", "queue/2014/07/31/index.txt");
        assertThat(folder("queue/2014/07/31/18")).containsExactly("folder queue/2014/07/31/1800/");
        assertThat(
                        container
                                .listBlobsByHierarchy("0", new ListBlobsOptions().setPrefix("queue/2014/07/31/1"), null)
                                .stream()
                                .map(BlobItem::getName))
                .containsExactly("queue/2014/07/31/180", "queue/2014/07/31/190");
    }

    @Test
    void a_folder_is_listed_once_however_small_the_pages() {
        for (int folder = 0; folder < 4; folder++) {
            for (int i = 0; i < 5; i++) {
                put("f" + folder + "/" + i);
            }
            put("f" + folder + "x");
        }
        List<String> seen = new ArrayList<>();
        for (PagedResponse<BlobItem> page : container
                .listBlobsByHierarchy("/", new ListBlobsOptions().setMaxResultsPerPage(1), null)
                .iterableByPage()) {
            assertThat(page.getValue()).hasSizeLessThanOrEqualTo(1);
            page.getValue().forEach(item -> seen.add(item.getName()));
        }
        assertThat(seen).containsExactly("f0/", "f0x", "f1/", "f1x", "f2/", "f2x", "f3/", "f3x");
    }

    @Test
    void snapshots_and_blobs_of_blocks_only_are_listed_when_asked_for() {
        put("a", "b");
        BlobClientBase first = container.getBlobClient("a").createSnapshot();
        BlobClientBase second = container.getBlobClient("a").createSnapshot();
        container.getBlobClient("aa").getBlockBlobClient().stageBlock("AAAA", BinaryData.fromString("not committed"));
        assertThat(names(new ListBlobsOptions())).containsExactly("a", "b");
        List<BlobItem> all = container
                .listBlobs(
                        new ListBlobsOptions()
                                .setDetails(new BlobListDetails()
                                        .setRetrieveSnapshots(true)
                                        .setRetrieveUncommittedBlobs(true)),
                        null)
                .stream()
                .toList();
        assertThat(all).extracting(BlobItem::getName).containsExactly("a", "a", "a", "aa", "b");
        assertThat(all.stream().map(BlobItem::getSnapshot).filter(Objects::nonNull))
                .containsExactly(first.getSnapshotId(), second.getSnapshotId());
    }

    @Test
    void thousands_of_logs_are_found_by_their_prefix_in_pages() throws Exception {
        List<String> hours = List.of("1700", "1800", "1900");
        List<String> eighteen = IntStream.range(0, MANY)
                .mapToObj(i -> "queue/2014/07/31/1800/%06d.log".formatted(i))
                .toList();
        List<String> all = new ArrayList<>(eighteen);
        for (String hour : hours) {
            all.add("queue/2014/07/31/" + hour + "/x.log");
        }
        fill(all);
        List<PagedResponse<BlobItem>> pages = container
                .listBlobs(new ListBlobsOptions().setPrefix("queue/2014/07/31/18"), null)
                .streamByPage()
                .toList();
        assertThat(pages).hasSize(2);
        assertThat(pages.get(0).getValue()).hasSize(5000);
        List<String> found = new ArrayList<>();
        for (PagedResponse<BlobItem> page : container
                .listBlobs(
                        new ListBlobsOptions().setPrefix("queue/2014/07/31/18").setMaxResultsPerPage(1000), null)
                .iterableByPage()) {
            page.getValue().forEach(item -> found.add(item.getName()));
            // A blob that is deleted between pages does not hide others.
            container.getBlobClient(page.getValue().get(0).getName()).delete();
        }
        assertThat(found.subList(0, MANY)).isEqualTo(eighteen);
        assertThat(found).hasSize(MANY + 1);
        assertThat(folder("queue/2014/07/31/"))
                .containsExactly(
                        "folder queue/2014/07/31/1700/",
                        "folder queue/2014/07/31/1800/",
                        "folder queue/2014/07/31/1900/");
    }

    /** Without the SDK, which is slower. */
    private void fill(List<String> names) throws Exception {
        try (BlobConnection blobs = new BlobConnection(server, container.getBlobContainerName())) {
            for (String name : names) {
                assertThat(blobs.put(name, new byte[1])).isEqualTo(201);
            }
        }
    }

    @Test
    void a_container_that_is_not_there_cannot_be_listed() {
        container.delete();
        Sdk.refused(404, "ContainerNotFound", () -> names(new ListBlobsOptions()));
    }
}
