package dev.trestle.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.azure.storage.blob.BlobBlock;
import org.apache.camel.component.azure.storage.blob.BlobConstants;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache Camel's component for blobs, as producer and as consumer. */
class CamelBlobsIT {
    private static final RequestRetryOptions NO_RETRIES =
            new RequestRetryOptions(RetryPolicyType.FIXED, 1, Duration.ofSeconds(60), null, null, null);

    @TempDir
    private Path folder;

    private Server server;
    private DefaultCamelContext camel;
    private ProducerTemplate template;

    @BeforeEach
    void start() {
        server = Server.start("camel-blobs");
        BlobServiceClient blobs = new BlobServiceClientBuilder()
                .connectionString(server.connectionString())
                .retryOptions(NO_RETRIES)
                .buildClient();
        camel = new DefaultCamelContext();
        camel.getRegistry().bind("blobs", blobs);
        camel.start();
        template = camel.createProducerTemplate();
        run("files", "createBlobContainer", "");
    }

    @AfterEach
    void stop() {
        camel.stop();
        server.close();
    }

    @Test
    void containers_are_made_listed_and_deleted() {
        run("others", "createBlobContainer", "");
        assertThat(containers()).containsExactly("files", "others");
        run("others", "deleteBlobContainer", "");
        assertThat(containers()).containsExactly("files");
    }

    @Test
    void a_blob_is_uploaded_downloaded_and_deleted() throws Exception {
        upload("a folder/grün 水 🚀.txt", "content");
        assertThat(read("a folder/grün 水 🚀.txt")).isEqualTo("content");
        upload("a folder/grün 水 🚀.txt", "replaced");
        assertThat(read("a folder/grün 水 🚀.txt")).isEqualTo("replaced");
        upload("flat.txt", "to a file");
        run("files", "downloadBlobToFile", "&blobName=flat.txt&fileDir=" + folder);
        assertThat(folder.resolve("flat.txt")).hasContent("to a file");
        assertThat(names("")).containsExactly("a folder/grün 水 🚀.txt", "flat.txt");
        assertThat(names("&prefix=a")).containsExactly("a folder/grün 水 🚀.txt");
        run("files", "deleteBlob", "&blobName=flat.txt");
        assertThatThrownBy(() -> read("flat.txt"))
                .isInstanceOfSatisfying(
                        BlobStorageException.class,
                        gone -> assertThat(gone.getErrorCode()).isEqualTo(BlobErrorCode.BLOB_NOT_FOUND));
    }

    @Test
    void headers_and_metadata_go_with_a_blob() {
        template.requestBodyAndHeaders(
                uri("files", "uploadBlockBlob", "&blobName=described.txt"),
                "x",
                Map.of(BlobConstants.METADATA, Map.of("author", "ines")));
        Exchange found = template.request(
                uri("files", "getBlob", "&blobName=described.txt"),
                exchange -> exchange.getMessage().setBody(null));
        assertThat(found.getMessage().getHeader(BlobConstants.METADATA)).isEqualTo(Map.of("author", "ines"));
        assertThat(found.getMessage().getHeader(BlobConstants.BLOB_SIZE, Long.class))
                .isEqualTo(1);
        assertThat(found.getMessage().getHeader(BlobConstants.E_TAG, String.class))
                .startsWith("0x");
    }

    @Test
    void blocks_are_staged_and_committed() throws Exception {
        List<BlobBlock> blocks =
                List.of(BlobBlock.createBlobBlock(stream("first ")), BlobBlock.createBlobBlock(stream("second")));
        template.requestBodyAndHeader(
                uri("files", "stageBlockBlobList", "&blobName=blocks.txt"),
                blocks,
                BlobConstants.COMMIT_BLOCK_LIST_LATER,
                false);
        assertThat(read("blocks.txt")).isEqualTo("first second");
    }

    @Test
    void appends_extend_a_blob() throws Exception {
        run("files", "createAppendBlob", "&blobName=log.txt");
        run("files", "commitAppendBlob", "&blobName=log.txt", stream("one\n"));
        run("files", "commitAppendBlob", "&blobName=log.txt", stream("two\n"));
        assertThat(read("log.txt")).isEqualTo("one\ntwo\n");
    }

    @Test
    void a_blob_is_copied() throws Exception {
        upload("from.txt", "copied");
        run("target", "createBlobContainer", "");
        template.requestBodyAndHeaders(
                uri("target", "copyBlob", "&blobName=from.txt&sourceBlobAccessKey=RAW(" + Server.KEY + ")"),
                "",
                Map.of(
                        BlobConstants.SOURCE_BLOB_ACCOUNT_NAME,
                        Server.ACCOUNT,
                        BlobConstants.SOURCE_BLOB_CONTAINER_NAME,
                        "files"));
        assertThat(read("target", "from.txt")).isEqualTo("copied");
    }

    @Test
    void a_download_link_needs_no_credentials() throws Exception {
        upload("linked.txt", "for everybody with the link");
        Exchange made = template.request(uri("files", "downloadLink", "&blobName=linked.txt"), exchange -> {});
        String link = made.getMessage().getHeader(BlobConstants.DOWNLOAD_LINK, String.class);
        assertThat(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(URI.create(link)).build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo("for everybody with the link");
    }

    @Test
    void a_route_consumes_blobs_as_they_come() throws Exception {
        MockEndpoint seen = camel.getEndpoint("mock:seen", MockEndpoint.class);
        seen.expectedBodiesReceivedInAnyOrder("one", "two");
        seen.setResultWaitTime(60_000);
        upload("in/one", "one");
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from(address("files") + "?serviceClient=#blobs&prefix=in/&delay=100&initialDelay=0")
                        .convertBodyTo(String.class)
                        .to("mock:seen")
                        .to(uri("files", "deleteBlob", ""));
            }
        });
        upload("in/two", "two");
        seen.assertIsSatisfied();
        // Stopping waits for the exchanges in flight, which end with the deletion of their blob.
        camel.getRouteController().stopAllRoutes();
        assertThat(names("")).isEmpty();
    }

    private void upload(String name, String content) {
        template.requestBody(uri("files", "uploadBlockBlob", "&blobName=RAW(" + name + ")"), content);
    }

    private String read(String name) throws Exception {
        return read("files", name);
    }

    private String read(String container, String name) throws Exception {
        Exchange found = template.request(
                uri(container, "getBlob", "&blobName=RAW(" + name + ")"),
                exchange -> exchange.getMessage().setBody(null));
        if (found.getException() != null) {
            throw found.getException();
        }
        try (InputStream content = found.getMessage().getBody(InputStream.class)) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }

    private List<String> containers() {
        List<?> found = template.requestBody(uri("", "listBlobContainers", ""), null, List.class);
        return found.stream()
                .map(BlobContainerItem.class::cast)
                .map(BlobContainerItem::getName)
                .toList();
    }

    private List<String> names(String options) {
        List<?> found = template.requestBody(uri("files", "listBlobs", options), null, List.class);
        return found.stream().map(BlobItem.class::cast).map(BlobItem::getName).toList();
    }

    private void run(String container, String operation, String options) {
        run(container, operation, options, "");
    }

    private void run(String container, String operation, String options, Object body) {
        template.requestBody(uri(container, operation, options), body);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    private static String address(String container) {
        return "azure-storage-blob://" + Server.ACCOUNT + (container.isEmpty() ? "" : "/" + container);
    }

    private static String uri(String container, String operation, String options) {
        return address(container) + "?serviceClient=#blobs&operation=" + operation + options;
    }
}
